// What a person gets who asks wrongly: one line that names the word, what was expected, and a fitting exit code.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { readMilliseconds } from "../../src/cli/arguments.ts";
import { type Ended, inProcess } from "./inProcess.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "holdfast-usage-"));
const place = { env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, NO_COLOR: "1" }, cwd: home };
after(() => rmSync(home, { recursive: true, force: true }));

const EMPTY: readonly (readonly [command: string, option: string, says: RegExp, ...more: readonly string[]])[] = [
	["up", "--port", /--port: expected a port from 0 to 65535, got nothing\n$/],
	["up", "--host", /--host: expected a name or an address of this machine, got nothing\n$/],
	["up", "--repo", /--repo: expected the folder of a repository, got nothing\n$/],
	["doctor", "--timeout", /--timeout: expected a time such as 500ms, 30s or 5m, got nothing\n$/],
	["logs", "--lines", /--lines: expected a whole number, got nothing\n$/, "x"],
	["host", "--http", /--http: expected host:port such as 127\.0\.0\.1:9000, got nothing\n$/, "--", "cat"],
	["host", "--contract", /--contract: expected a JSON file, got nothing\n$/, "--", "cat"],
	["host", "--watch", /--watch: expected a file or folder, got nothing\n$/, "--", "cat"],
];

// A host whose client has gone has nothing left to fail at: it ends with 0.
const MISTAKES: readonly (readonly [args: readonly string[], code: 0 | 1 | 2, says: RegExp])[] = [
	[["statsu"], 2, /^holdfast: no command "statsu"; did you mean status\?\n$/],
	[["frobnicate"], 2, /^holdfast: no command "frobnicate"; holdfast --help lists them\n$/],
	[
		["upgrade"],
		2,
		/^holdfast: no command "upgrade"; holdfast rollout <name> starts a server anew without losing a call\n$/,
	],
	// Nearer to `skill` than to anything that is meant by it.
	[["kill", "files"], 2, /^holdfast: no command "kill"; Ctrl-C stops it where it runs\n$/],
	[["constructor"], 2, /^holdfast: no command "constructor"; holdfast --help lists them\n$/],
	[["up", "--prot", "1"], 2, /^holdfast up: no option --prot; did you mean --port\?\n$/],
	[["status", "--frobnicate"], 2, /^holdfast status: no option --frobnicate; it has --json, --watch\n$/],
	[["status", "files"], 2, /^holdfast status: "files": expected options only\n$/],
	[["logs", "a", "b"], 2, /^holdfast logs: "b": expected nothing more\n$/],
	[["up", "--port", "x"], 2, /^holdfast up: --port: expected a port from 0 to 65535, got x\n$/],
	[["doctor", "--timeout", "0s"], 2, /^holdfast doctor: --timeout: expected a time above zero, got 0s\n$/],
	[["doctor", "--port", "65536"], 2, /^holdfast doctor: --port: expected a port from 0 to 65535, got 65536\n$/],
	[
		["up", "--host", "0.0.0.0", "--port", "0", "--bare"],
		2,
		/^holdfast up: --host: expected 127\.0\.0\.1, got 0\.0\.0\.0, which others can reach; add --token/,
	],
	[
		["up", "--host", "192.0.2.1", "--port", "0", "--bare", "--token", "a-token-of-sixteen"],
		2,
		/^holdfast up: --host: expected a name or an address of this machine, got 192\.0\.2\.1\n$/,
	],
	[
		["up", "--repo", "/no/such/folder"],
		2,
		/^holdfast up: --repo: expected the folder of a repository, got \/no\/such\/folder\n$/,
	],
	[
		["serve", "--repo", "/no/such/folder"],
		2,
		/^holdfast serve: --repo: expected the folder of a repository, got \/no\/such\/folder\n$/,
	],
	[
		["logs", "nobody"],
		1,
		/^holdfast logs: "nobody" has left no log; there are: none; holdfast up and holdfast host leave some\n$/,
	],
	[["host", "--", "/no/such/command"], 0, /^holdfast host: \/no\/such\/command: there is no such command\n/],
	[
		["up", "--bare", "--port", "0", "--token", "two words"],
		2,
		/^holdfast up: --token: expected letters, digits .* without blanks\n$/,
	],
	[
		["up", "--bare", "--host", "0.0.0.0", "--port", "0", "--token", "fifteen-letters"],
		2,
		/^holdfast up: --token: expected 16 characters or more, because others can reach 0\.0\.0\.0\n$/,
	],
	[["up", "--config", "/no.json"], 1, /^holdfast up: \/no\.json: no such file or directory \(ENOENT\)\n$/],
	[["up", "--config", "/"], 1, /^holdfast up: \/: illegal operation on a directory \(EISDIR\)\n$/],
	[["up", "--port"], 2, /^holdfast up: --port: expected a value, got nothing\n$/],
	[["up", "--bare=yes"], 2, /^holdfast up: --bare: expected no value\n$/],
	[["host", "--max-queue", "-1", "--", "x"], 2, /--max-queue: expected a value, got -1; .* written --max-queue=-…\n$/],
	[["host", "--", "/"], 0, /^holdfast host: \/: it cannot be run \(EACCES\)\n/],
	[["host", "--http", "0", "--name", "x", "--", "cat"], 2, /--name: expected no other option beside --http\n$/],
	[["host"], 2, /^holdfast host: command: expected the server's command after --, got nothing\n$/],
	[
		["host", "--watch", "no/such", "--", "x"],
		2,
		/--watch: expected a file or folder, got no\/such, which does not exist\n$/,
	],
	[["host", "--deadline", "1h30", "--", "x"], 2, /--deadline: expected a time such as 500ms, 30s or 5m, got 1h30\n$/],
	[["host", "--deadline", "soon", "--", "x"], 2, /--deadline: expected a time such as 500ms, 30s or 5m, got soon\n$/],
	[
		["host", "--contract", "/no.json", "--", "cat"],
		2,
		/^holdfast host: --contract: expected a JSON file, got \/no\.json, which does not exist\n$/,
	],
	[["host", "--contract", "/", "--", "cat"], 1, /^holdfast host: \/: expected a JSON file, got EISDIR.*\n$/],
	[
		["rollout"],
		2,
		/^holdfast rollout: name: expected a host's name, got nothing; running: none; holdfast up and holdfast host start some\n$/,
	],
	[
		["rollout", "nobody"],
		1,
		/^holdfast rollout: no running host is called "nobody"; running: none; holdfast up and holdfast host start some\n$/,
	],
	...["up", "serve", "doctor", "approve"].map(
		(command) =>
			[
				[command, "--config", ""],
				2,
				new RegExp(`^holdfast ${command}: --config: expected a file, got nothing\n$`),
			] as const,
	),
	[["install", "cursor", "--token", "t"], 2, /^holdfast install: --token: expected --url with it\n$/],
	[
		["install", "cursor", "--url", "http://127.0.0.1:9/mcp", "--token", ""],
		2,
		/^holdfast install: --token: expected ASCII characters without blanks, and at least one\n$/,
	],
	[
		["install", "cursor", "--url", "http://me:word@127.0.0.1:9/mcp"],
		2,
		/^holdfast install: --url: expected no user name or password in it, which clients refuse\n$/,
	],
	[["import", "cursr"], 2, /^holdfast import: client: expected one of .*, got cursr; did you mean cursor\?\n$/],
	[["wrap", "cursor"], 1, /^holdfast wrap: \S+: no such file, .*; holdfast install cursor gives it the gateway\n$/],
	[["wrap", "cursor", "--undo"], 1, /^holdfast wrap: \S+: no such file, .*; there is nothing to undo\n$/],
	[["install", "claude"], 2, /, got claude; did you mean claude-desktop or claude-code\?\n$/],
	[["wrap", "gemini-cli"], 2, /, got gemini-cli; did you mean gemini\?\n$/],
	[["--json", "status"], 2, /^holdfast: no command "--json"; options come after the command\n$/],
	[["skill"], 2, /^holdfast skill: action: expected link, got nothing\n$/],
	[
		["host", "--http", "0.0.0.0:9", "--", "cat"],
		2,
		/^holdfast host: --http: expected an address that only this machine reaches, such as 127\.0\.0\.1:9, got 0\.0\.0\.0:9; /,
	],
	...EMPTY.map(([command, option, says, ...more]) => [[command, `${option}=`, ...more], 2, says] as const),
	...["999.1.1.1", "http://127.0.0.1", "[::1]"].map(
		(host) =>
			[
				["up", "--bare", "--port", "0", "--host", host],
				2,
				/^holdfast up: --host: expected a name or an address of this machine, got \S+\n$/,
			] as const,
	),
	[
		["host", "--http", "999.1.1.1:9", "--", "cat"],
		2,
		/^holdfast host: --http: expected a name or an address of this machine, got 999\.1\.1\.1:9\n$/,
	],
	[["skill", "link", "--to="], 2, /^holdfast skill: --to: expected a folder, got nothing\n$/],
	[["install", "emacs"], 2, /^holdfast install: client: expected one of claude-desktop, .*, got emacs\n$/],
];

/** What would go on if it were right is a process that can be ended. */
const SERVING = ["up", "serve", "host"];

for (const [args, code, says] of MISTAKES) {
	test(`holdfast ${args.join(" ")}`, async () => {
		const isServing = SERVING.includes(args[0] ?? "");
		const { status, stderr, stdout } = isServing ? holdfast(args) : await quickly(args);
		assert.match(stderr, says);
		assert.equal(stdout, "");
		assert.equal(status, code);
	});
}

test("a time is a number with its unit, or several of them, as in the configuration", () => {
	const times = ["250ms", "1.5s", "1h30m", "5"].map((text) => readMilliseconds("--deadline", text));
	assert.deepEqual(times, [250, 1_500, 5_400_000, 5_000]);
});

test("the help of every command that takes a time says how a number without a unit is read", async () => {
	for (const name of ["doctor", "host"])
		assert.match((await quickly([name, "--help"])).stdout, /a number\s+without a unit counts seconds/, name);
});

test("the help of every command says what each option is for", async () => {
	const names = [...(await quickly(["--help"])).stdout.matchAll(/^ {2}(\w+) {2,}/gm)].map(([, name = ""]) => name);
	assert.ok(names.includes("doctor"));
	for (const name of names) {
		const [usage = "", ...rest] = (await quickly([name, "--help"])).stdout.split("\n\n");
		const options = [...usage.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option);
		const unsaid = options.filter((option) => option !== "--json" && !rest.join("\n").includes(option));
		assert.deepEqual(unsaid, [], name);
	}
});

test("help of a command can be asked for both ways", async () => {
	const { stdout, status } = await quickly(["help", "logs"]);
	assert.equal(status, 0);
	assert.equal(stdout, (await quickly(["logs", "--help"])).stdout);
});

test("a reader that goes away ends a command without a word, and not the product", async (t) => {
	const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home };
	const watching = spawn(process.execPath, [BIN, "status", "--watch"], { env, stdio: ["ignore", "pipe", "pipe"] });
	t.after(() => watching.kill("SIGKILL"));
	let said = "";
	watching.stderr.on("data", (data) => (said += data));
	watching.stdout.once("data", () => watching.stdout.destroy());
	assert.deepEqual(await once(watching, "exit"), [0, null]);
	assert.equal(said, "");
	const up = spawn(process.execPath, [BIN, "up", "--bare", "--port", "0"], { env, stdio: ["ignore", "pipe", "pipe"] });
	t.after(() => up.kill("SIGKILL"));
	const [address] = /http:\S+/.exec(String(await once(up.stdout, "data"))) ?? [];
	up.stdout.destroy();
	up.stderr.destroy();
	assert.equal((await fetch(`${address}/healthz`)).status, 200);
	up.kill("SIGTERM");
	assert.deepEqual(await once(up, "exit"), [0, null]);
});

test("a folder that may not be read is said to be that, and not taken for an empty repository", (t) => {
	const locked = join(home, "locked");
	mkdirSync(locked, { mode: 0 });
	t.after(() => rmdirSync(locked));
	chmodSync(home, 0o755);
	// Root may read everything: there somebody else tries.
	const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
	const options = { env: { HOME: "/nonexistent" }, cwd: "/", encoding: "utf8", ...nobody } as const;
	if (spawnSync(process.execPath, [BIN, "--version"], options).status !== 0)
		return t.skip("nobody but root may read this checkout");
	const { stderr, status } = spawnSync(process.execPath, [BIN, "up", "--port", "0", "--repo", locked], options);
	assert.match(stderr, /^holdfast up: --repo: expected the folder of a repository that you may read, got \S+locked\n$/);
	assert.equal(status, 2);
});

test("a user without a home folder is told what to set, and may do what needs none", (t) => {
	const nobody = { env: { PATH: process.env.PATH }, cwd: "/", encoding: "utf8", uid: 65_533, gid: 65_533 } as const;
	if (process.getuid?.() !== 0 || spawnSync(process.execPath, [BIN, "--version"], nobody).status !== 0)
		return t.skip("nobody without a home can be had here who may read this checkout");
	const homeless = (line: string) => spawnSync(process.execPath, [BIN, ...line.split(" ")], nobody);
	const needs = "HOME: expected this user's folder, got nothing, and the system names none either; set it";
	const ours = `${needs}, or XDG_CONFIG_HOME and XDG_STATE_HOME`;
	for (const [line, says] of [
		["install cursor", needs],
		["uninstall cursor", needs],
		["wrap cursor", needs],
		["import --yes", needs],
		["skill link", needs],
		["logs x", ours],
		["up --bare --port 0", ours],
		["serve", ours],
		["approve", ours],
	] as const) {
		const { stderr, status } = homeless(line);
		assert.deepEqual([line, stderr, status], [line, `holdfast ${line.split(" ")[0]}: ${says}\n`, 1]);
	}
	assert.deepEqual(JSON.parse(homeless("status --json").stdout), []);
	const doctor = homeless("doctor --port 0");
	assert.match(doctor.stdout, /^NO {2}home folder {2}neither HOME nor the system names one\n +set HOME/m);
	assert.equal(doctor.status, 1);
	// A server goes on without its log.
	const hosted = homeless(`host -- ${process.execPath} -e 0`);
	assert.match(hosted.stderr, /^holdfast host: no telemetry file is written: HOME: expected/);
	assert.equal(hosted.status, 0);
});

test("what cannot be written is said with the file it was to be in, and the doctor finds it first", () => {
	// No file may grow: what a full disk does, without one.
	const cramped = (line: string) =>
		spawnSync("sh", ["-c", `ulimit -f 0; exec '${process.execPath}' '${BIN}' ${line}`], {
			...{ env: { HOME: home, PATH: process.env.PATH }, cwd: home, encoding: "utf8" },
		});
	const installed = cramped("install cursor");
	assert.match(installed.stderr, /^holdfast install: \S+backups\/\w+\.json: file too large \(EFBIG\)\n$/);
	assert.equal(installed.status, 1);
	const { stdout, status } = cramped("doctor --port 0");
	assert.match(stdout, /^NO {2}state folder +\S+\/holdfast: file too large \(EFBIG\)$/m);
	assert.equal(status, 1);
});

test("a port that takes more rights is said to be that", (t) => {
	const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
	const options = { env: { HOME: "/nonexistent" }, cwd: "/", encoding: "utf8", timeout: 120_000, ...nobody } as const;
	const taking = `require("node:net").createServer().listen(1, "127.0.0.1", () => process.exit(0)).on("error", () => process.exit(1))`;
	if (spawnSync(process.execPath, [BIN, "--version"], options).status !== 0)
		return t.skip("nobody but root may read this checkout");
	if (spawnSync(process.execPath, ["-e", taking], options).status === 0)
		return t.skip("nobody is kept from that port here");
	const { stderr, status } = spawnSync(process.execPath, [BIN, "up", "--bare", "--port", "1"], options);
	assert.equal(stderr, "holdfast up: --port: expected one that you may use, such as 8080, got 1\n");
	assert.equal(status, 2);
});

test("a folder that was taken away under the command is told as that", () => {
	const line = `mkdir gone && cd gone && rmdir ../gone && exec '${process.execPath}' '${BIN}' install cursor --print`;
	const { stderr } = spawnSync("sh", ["-c", line], { env: { HOME: home }, cwd: home, encoding: "utf8" });
	assert.equal(stderr, "holdfast install: the folder this was started in is gone (ENOENT)\n");
});

test("a client's file that is no JSON is named with its line, and left alone", async () => {
	mkdirSync(join(home, ".cursor"), { recursive: true });
	writeFileSync(join(home, ".cursor/mcp.json"), '{\n  "mcpServers" {}\n}\n');
	const { stderr, status } = await quickly(["install", "cursor"]);
	assert.match(stderr, /mcp\.json: line 2: not valid JSON \(colon expected\); correct it first\n$/);
	assert.equal(status, 1);
	rmSync(join(home, ".cursor"), { recursive: true });
});

test("a server that two clients have is told once, and what import leaves to do is said", async () => {
	for (const folder of [".cursor", ".gemini"]) mkdirSync(join(home, folder), { recursive: true });
	const servers = (more: object) =>
		JSON.stringify({ mcpServers: { one: { command: "one", args: ["--fast"], ...more } } });
	writeFileSync(join(home, ".cursor/mcp.json"), servers({}));
	writeFileSync(join(home, ".gemini/settings.json"), servers({ timeout: 600_000 }));
	const { stdout } = await quickly(["import", "--yes"]);
	assert.match(
		stdout,
		/^one \(Cursor, user\)\n {4}one --fast\none \(Gemini CLI, user\)\n {4}the same as in Cursor\n {4}not taken over: timeout\n\nadded one\n/,
	);
	assert.match(stdout, /^Their clients still start them too; .*import --move takes them out there\.$/m);
	const moved = (await quickly(["import", "--yes", "--move"])).stdout;
	assert.match(moved, /^took out of \S+mcp\.json: one$/m);
	const [, backups = ""] =
		/^The files as they were are in (\S+); holdfast import --undo gives the servers back\.$/m.exec(moved) ?? [];
	assert.equal(readdirSync(backups).length, 3);
	for (const folder of [".cursor", ".gemini", ".config"]) rmSync(join(home, folder), { recursive: true });
});

test("servers are not added to a configuration that is YAML, nor beside it where they would hide it", async () => {
	mkdirSync(join(home, ".cursor"), { recursive: true });
	mkdirSync(join(home, ".config/holdfast"), { recursive: true });
	writeFileSync(join(home, ".cursor/mcp.json"), '{"mcpServers":{"one":{"command":"one"}}}');
	writeFileSync(join(home, ".config/holdfast/metatools.yaml"), "mcpServers: {}\n");
	const { stderr, status } = await quickly(["import", "--yes"]);
	assert.match(stderr, /metatools\.yaml: expected JSON, the only format that servers can be added to/);
	assert.equal(status, 1);
	assert.match(holdfast(["doctor", "--port", "0"]).stdout, /^ok +config +\S+metatools\.yaml, no servers$/m);
});

function holdfast(args: readonly string[]) {
	return spawnSync(process.execPath, [BIN, ...args], { ...place, encoding: "utf8", input: "", timeout: 120_000 });
}

function quickly(args: readonly string[]): Promise<Ended> {
	return inProcess(args, place);
}
