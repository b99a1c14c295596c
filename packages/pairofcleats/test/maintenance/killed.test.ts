import { verifies } from "../../../../e2e/verifies.ts";
import { KILL_CASES } from "./killCases.ts";
import { killEveryTool } from "./killEveryTool.ts";

const LINUX = { skip: process.platform === "linux" ? (false as const) : "needs /proc", timeout: 280_000 };
/** Before its step in every other tool, after it in the others; killed.soak.ts kills each at both. */
const ONCE = KILL_CASES.map((one, index) =>
	one.tool === "triage_decision" ? one : { ...one, stops: one.stops.slice(index % one.stops.length).slice(0, 1) },
);

verifies(
	"002-replay-pairofcleats-declares",
	"a call whose worker is killed in its midst is answered as its contract says: the same again, or in doubt; nothing is lost, doubled or half done",
	(t) => killEveryTool(t, ONCE),
	LINUX,
);
