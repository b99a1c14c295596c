// With --json a failure of any command is one object on standard output, and the same line as ever for people beside it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Ended, inProcess } from "../packages/holdfast/test/cli/inProcess.ts";

const place = mkdtempSync(join(tmpdir(), "holdfast-json-"));
after(() => rmSync(place, { recursive: true, force: true }));
// A home folder is no repository.
const project = join(place, "project");
mkdirSync(project);
writeFileSync(join(place, "wrong.json"), '{"mcpServers":{"one":{"url":"nowhere"}}}');
writeFileSync(join(place, "odd.json"), '{"search":{"strategy":"telepathy"}}');
writeFileSync(join(place, "none.json"), "{}");
const WRONG = ["-c", join(place, "wrong.json")];
const ODD = ["-c", join(place, "odd.json")];
const NONE = ["-c", join(place, "none.json")];
const env = { PATH: process.env.PATH, HOME: place, XDG_RUNTIME_DIR: place, NO_COLOR: "1" };

type Failure = readonly [line: readonly string[], exit: number, code: string, field: string | undefined, says: RegExp];

const FAILURES: readonly Failure[] = [
	[["holdfast", "statsu"], 2, "usage", "statsu", /^no command "statsu"; did you mean status\?$/],
	[["holdfast", "status", "--wtach"], 2, "usage", "--wtach", /^no option --wtach; did you mean --watch\?$/],
	[["holdfast", "doctor", "--port", "x"], 2, "usage", "--port", /^--port: expected a port .*, got x$/],
	[
		["holdfast", "logs"],
		2,
		"usage",
		"name",
		/^name: expected a host's or a server's name, got nothing; there are: none; /,
	],
	[["holdfast", "logs", "nobody"], 1, "failed", undefined, /^"nobody" has left no log/],
	[["holdfast", "rollout", "nobody"], 1, "failed", undefined, /^no running host is called "nobody"; running: none; /],
	[["metatools", "--port", "1"], 2, "usage", "command", /^command: expected one such as serve first, got --port; /],
	[["metatools", "dance"], 2, "usage", "dance", /^no command dance/],
	[["metatools", "version", "--frob"], 2, "usage", "--frob", /^no option --frob; --help lists them$/],
	[
		["metatools", "config", "validate", ...WRONG],
		3,
		"config",
		"mcpServers.one.url",
		/expected an http or https address/,
	],
	[["metatools", "tools", "search", "x", "--limit", "0", ...NONE], 2, "usage", "--limit", /from 1, got 0$/],
	[["metatools", "tools", "constructor", "x"], 2, "usage", "tools", /got constructor$/],
	[["metatools", "tools", "describe", "a:b", ...NONE], 1, "tool_not_found", undefined, /a:b/],
	[["metatools", "tools", "run", "a:b", ...NONE], 1, "tool_not_found", undefined, /a:b/],
	[["metatools", "tools", "run", "a:b", "--args", "[]", ...NONE], 2, "usage", "--args", /a JSON object, got \[\]$/],
	[
		["metatools", "approve", "x", ...NONE],
		1,
		"failed",
		undefined,
		/^of the servers in .*none\.json nothing by that name waits/,
	],
	[["metatools", "approve", "x", ...ODD], 3, "config", "search.strategy", /expected one of .*, got "telepathy"/],
	[["metatools", "login", "x", ...NONE], 2, "usage", "server", /got x$/],
	[["metatools", "logout", ...NONE], 2, "usage", "server", /got nothing$/],
	[["pairofcleats", "frob"], 2, "INVALID_REQUEST", "frob", /^no command "frob"/],
	[["pairofcleats", "search"], 2, "INVALID_REQUEST", "query", /^query: expected words to search for, got nothing/],
	[["pairofcleats", "search", "x", "--frob"], 2, "INVALID_REQUEST", "--frob", /^no option --frob; /],
	[["pairofcleats", "search", "x", "--no-build"], 3, "NO_INDEX", undefined, /index/],
	[["pairofcleats", "search", "x", "--repo", "/no/such"], 1, "NOT_FOUND", "--repo", /^--repo: expected a folder/],
	[["pairofcleats", "index", "status", "--repo", "/no"], 1, "NOT_FOUND", "--repo", /^--repo: expected a folder/],
	[["pairofcleats", "index", "validate"], 3, "NO_INDEX", undefined, /index/],
	[["pairofcleats", "show"], 2, "INVALID_REQUEST", "path", /^path: expected one such as .*, got nothing$/],
	[["pairofcleats", "map"], 3, "NO_INDEX", undefined, /index/],
	[["pairofcleats", "lint", "frob"], 2, "INVALID_REQUEST", "lint", /^lint: expected import <file>, got "frob"$/],
	[["pairofcleats", "triage", "ingest", "osv", "none"], 1, "NOT_FOUND", "file", /none/],
	[
		["pairofcleats", "triage", "export"],
		2,
		"INVALID_REQUEST",
		undefined,
		/^triage export: expected <file>, got nothing$/,
	],
	[["pairofcleats", "cache", "gc"], 2, "INVALID_REQUEST", "--max-bytes", /expected a limit, got none/],
	[["pairofcleats", "cache", "compact"], 3, "NO_INDEX", undefined, /index/],
	[["pairofcleats", "download", "dictionaries", "--url", "ftp://x"], 2, "INVALID_REQUEST", "--url/0", /./],
	[["pairofcleats", "triage", "constructor"], 2, "INVALID_REQUEST", "triage", /got "constructor"$/],
	[["pairofcleats", "extensions", "frob"], 2, "INVALID_REQUEST", "extensions", /got "frob"$/],
	[["pairofcleats", "bootstrap", "frob"], 2, "INVALID_REQUEST", "bootstrap", /got "frob"$/],
	[["synesthetic", "--validate"], 2, "usage", "--validate", /^--validate: expected a path, got nothing$/],
	[["synesthetic", "--watch"], 2, "usage", "--watch", /^--watch: expected with --validate <path>…$/],
	[["synesthetic"], 2, "usage", "--json", /^--json: expected with --validate <path>… or a command$/],
	[["synesthetic", "frob"], 2, "usage", "frob", /^no command "frob"$/],
	[["synesthetic", "schema"], 2, "usage", "schema", /^schema: expected <name>, got nothing$/],
	[["synesthetic", "--frob"], 2, "usage", "--frob", /^no option --frob$/],
];

for (const [line, exit, code, field, says] of FAILURES) {
	test(`${line.join(" ").replaceAll(place, "")} --json`, async () => {
		const { status, stdout, stderr } = await quickly([...line, "--json"]);
		assert.equal(status, exit, stderr);
		assert.match(stdout, /^[^\n]+\n$/, "one line");
		const told = JSON.parse(stdout);
		assert.equal(told.ok, false);
		assert.equal(told.error.code, code);
		assert.equal(told.error.field, field);
		assert.match(told.error.message, says);
		assert.ok(stderr.includes(told.error.message), stderr);
	});
}

for (const program of ["holdfast", "metatools", "pairofcleats", "synesthetic"]) {
	test(`without --json a failure of ${program} prints nothing on standard output`, () => {
		const [usage, failure] = [2, 1].map((code) => FAILURES.find(([[name], exit]) => name === program && exit === code));
		for (const [line = []] of [usage, failure].flatMap((one) => (one === undefined ? [] : [one])))
			assert.equal(command(line).stdout, "");
	});
}

test("what stands after -- asks for nothing", () => {
	assert.equal(command(["holdfast", "rollout", "nobody", "--", "server", "--json"]).stdout, "");
	assert.equal(command(["pairofcleats", "search", "--no-build", "--", "--json"]).stdout, "");
});

test("what serves a client on its output prints no object there", () => {
	const { status, stdout, stderr } = command(["metatools", "serve", "--json"]);
	assert.deepEqual([status, stdout], [2, ""]);
	assert.match(stderr, /^metatools: --json: expected with other commands/);
});

/** Without a process of its own, where the command does not end the one it is in. */
async function quickly(line: readonly string[]): Promise<Ended> {
	const [name = "", ...args] = line;
	if (name === "synesthetic") return command(line);
	const { main } = await import(new URL(`../packages/${name}/dist/cli/main.js`, import.meta.url).href);
	return inProcess(args, { env, cwd: project }, main);
}

function command([name = "", ...args]: readonly string[]): Ended {
	const bin = fileURLToPath(new URL(`../packages/${name}/bin/${name}.js`, import.meta.url));
	const ended = spawnSync(process.execPath, [bin, ...args], {
		env,
		cwd: project,
		encoding: "utf8",
		input: "",
		timeout: 120_000,
	});
	return { ...ended, status: ended.status ?? Number.NaN };
}
