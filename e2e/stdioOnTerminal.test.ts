// What a person sees who types the command of a server that speaks on standard input.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const NO_TERMINAL =
	spawnSync("script", ["--version"]).status === 0 ? false : "script, which makes a terminal, is not here";
const END_OF_INPUT = "\u0004";
const home = mkdtempSync(join(tmpdir(), "holdfast-terminal-"));
after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

const EVERYTHING = fileURLToPath(new URL("../packages/libmcp/test/fixtures/everythingStdio.ts", import.meta.url));
const SERVERS = [
	{ program: "holdfast", words: ["host", "--no-log", "--", process.execPath, EVERYTHING], name: "holdfast host" },
	{ program: "holdfast", words: ["serve", "--bare"], name: "holdfast serve" },
	{ program: "metatools", words: ["serve"], name: "metatools serve" },
	{ program: "pairofcleats", words: ["mcp"], name: "pairofcleats mcp" },
	{ program: "synesthetic", words: ["--sample"], name: "synesthetic" },
] as const;

for (const { program, words, name } of SERVERS) {
	test(`who types ${name} at a terminal is told what it waits for`, { skip: NO_TERMINAL, timeout: 120_000 }, () => {
		const script = fileURLToPath(new URL(`../packages/${program}/bin/${program}.js`, import.meta.url));
		const command = [process.execPath, script, ...words].map((word) => `'${word}'`).join(" ");
		const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, TERM: "dumb", MCP_READY_FILE: "" };
		const options = { cwd: home, env, input: END_OF_INPUT, encoding: "utf8", timeout: 60_000 } as const;
		const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], options);
		const line = `${name}: waiting for requests, one JSON line each; Ctrl-D ends, --help tells more`;
		assert.ok(stdout.split("\r\n").includes(line), stdout);
	});
}
