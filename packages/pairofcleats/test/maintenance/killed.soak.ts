import { test } from "node:test";
import { KILL_CASES } from "./killCases.ts";
import { killEveryTool } from "./killEveryTool.ts";

const LINUX = { skip: process.platform === "linux" ? (false as const) : "needs /proc" };

test("a call whose worker is killed before or after its decisive step is answered as its contract says", LINUX, (t) =>
	killEveryTool(t, KILL_CASES),
);
