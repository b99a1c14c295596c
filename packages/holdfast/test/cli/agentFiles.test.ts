// The commands that change an agent's file, and what the agent then starts by it.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Ended, inProcess } from "./inProcess.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const FILES_SERVER = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"));
/** Runs a command on a terminal. */
const SCRIPT = "/usr/bin/script";
const home = mkdtempSync(join(tmpdir(), "holdfast-agents-"));
const project = join(home, "project");
const bin = join(home, "bin");
for (const folder of [project, bin, join(home, ".cursor")]) mkdirSync(folder);
writeFileSync(join(project, "note.txt"), "kept");
after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
const env = { PATH, HOME: home, XDG_RUNTIME_DIR: home, NO_COLOR: "1" };

function holdfast(args: readonly string[], path = PATH, cwd = project): Promise<Ended> {
	return inProcess(args, { env: { ...env, PATH: path }, cwd });
}

test("a wrapped server is what the agent starts, and its death is not noticed", { timeout: 120_000 }, async () => {
	const file = join(home, ".cursor/mcp.json");
	const before = JSON.stringify({
		mcpServers: { files: { command: process.execPath, args: [FILES_SERVER, project] } },
	});
	writeFileSync(file, before);
	// As a program, since what it writes down is where the program lies.
	const wrapped = spawnSync(process.execPath, [BIN, "wrap", "cursor"], { env, cwd: project, encoding: "utf8" });
	assert.match(wrapped.stdout, /^put a host in front of 1 server in \S+mcp\.json: files\nRestart Cursor/);
	const { command, args } = JSON.parse(readFileSync(file, "utf8")).mcpServers.files;
	assert.equal(args[0], BIN);
	const client = new Client({ name: "agent", version: "1.0.0" });
	await client.connect(new StdioClientTransport({ command, args, env, stderr: "ignore" }));
	try {
		const shown = (await client.listTools()).tools.map(({ name }) => name);
		assert.deepEqual([shown.includes("read_text_file"), shown.includes("holdfast_health")], [true, false]);
		const read = () => client.callTool({ name: "read_text_file", arguments: { path: join(project, "note.txt") } });
		assert.match(JSON.stringify(await read()), /kept/);
		const [status] = JSON.parse((await holdfast(["status", "--json"])).stdout);
		assert.equal(status.name, "files");
		process.kill(status.workerPid, "SIGKILL");
		assert.match(JSON.stringify(await read()), /kept/);
	} finally {
		await client.close();
	}
	assert.match((await holdfast(["wrap", "cursor", "--undo"])).stdout, /^took the host from 1 server/);
	assert.equal(readFileSync(file, "utf8"), before);
});

test("the tools of the host itself are shown by --ops-tools only, and either wrap is known for one and undone", async () => {
	const file = join(home, ".cursor/mcp.json");
	const before = `{"mcpServers":{"a":{"command":"run-a","args":["1"]}}}`;
	for (const [options, args] of [
		[[], ["host", "--name", "a", "--no-ops-tools", "--", "run-a", "1"]],
		[["--ops-tools"], ["host", "--name", "a", "--", "run-a", "1"]],
	] as const) {
		writeFileSync(file, before);
		assert.equal((await holdfast(["wrap", "cursor", ...options])).status, 0);
		assert.deepEqual(JSON.parse(readFileSync(file, "utf8")).mcpServers.a.args, [BIN, ...args]);
		assert.match((await holdfast(["wrap", "cursor"])).stdout, /left as they are: a \(has one already\)/);
		assert.equal((await holdfast(["wrap", "cursor", "--undo"])).status, 0);
		assert.equal(readFileSync(file, "utf8"), before);
	}
	const wrong = await holdfast(["wrap", "cursor", "--undo", "--ops-tools"]);
	assert.deepEqual([wrong.status, wrong.stderr], [2, "holdfast wrap: --ops-tools: expected without --undo\n"]);
	rmSync(file);
});

test("a host whose server has moved behind the gateway is told of, and can still be undone once it is back", async () => {
	const file = join(home, ".cursor/mcp.json");
	const before = `{"mcpServers": { "a": {"command":"run-a","args":["1"]} } }`;
	writeFileSync(file, before);
	for (const args of [
		["wrap", "cursor"],
		["import", "cursor", "--yes", "--move"],
	])
		assert.equal((await holdfast(args)).status, 0);
	assert.match(
		(await holdfast(["wrap", "cursor", "--undo"])).stdout,
		/^No server to change .*\nleft as they are: a \(moved behind the gateway; its host comes back with it\)$/m,
	);
	assert.equal((await holdfast(["import", "cursor", "--undo"])).status, 0);
	assert.match((await holdfast(["wrap", "cursor", "--undo"])).stdout, /^took the host from 1 server/);
	assert.equal(readFileSync(file, "utf8"), before);
	assert.doesNotMatch((await holdfast(["wrap", "cursor", "--undo"])).stdout, /moved behind/);
	rmSync(file);
	rmSync(join(home, ".config/holdfast/metatools.json"), { force: true });
});

test("a server whose name begins with a dash is hosted under it, and its log is read by it", {
	timeout: 120_000,
}, async () => {
	const file = join(home, ".cursor/mcp.json");
	const before = JSON.stringify({
		mcpServers: {
			"-files": { command: process.execPath, args: [FILES_SERVER, project] },
			"--": { command: "x", args: ["--", "y"] },
		},
	});
	writeFileSync(file, before);
	assert.equal((await holdfast(["wrap", "cursor"])).status, 0);
	const { command, args } = JSON.parse(readFileSync(file, "utf8")).mcpServers["-files"];
	const client = new Client({ name: "agent", version: "1.0.0" });
	await client.connect(new StdioClientTransport({ command, args, env, stderr: "ignore" }));
	await client.listTools();
	await client.close();
	assert.match((await holdfast(["logs", "--", "-files"])).stdout, /log of -files opened/);
	assert.match((await holdfast(["logs", "--json", "--", "-files"])).stdout, /^\{.*"tools\/list"/m);
	assert.match((await holdfast(["doctor", "--", "x"])).stderr, /^holdfast doctor: "x": expected options only\n$/);
	// Another's edit in between, so that the hosts are taken out one by one.
	writeFileSync(file, `${readFileSync(file, "utf8")}\n`);
	assert.equal((await holdfast(["wrap", "cursor", "--undo"])).status, 0);
	assert.equal(readFileSync(file, "utf8"), `${before}\n`);
});

test("doctor marks a server that it did not try as neither well nor broken", async () => {
	const path = join(home, ".cursor/mcp.json");
	writeFileSync(path, JSON.stringify({ mcpServers: { anywhere: { command: "run", args: [`\${workspaceFolder}`] } } }));
	assert.equal((await holdfast(["wrap", "cursor"])).status, 0);
	const { status, stdout } = await holdfast(["doctor", "--port", "0"]);
	assert.match(stdout, /^-- +cursor +\S+: anywhere has a host before it; not tried: /m);
	assert.match(stdout, /\. Not tried: 1\.$/m);
	assert.equal(status, 0);
	rmSync(path);
});

test("with --json the commands that change files say what they did as one object, and import asks nobody", async () => {
	const path = join(home, ".cursor/mcp.json");
	const before = `{"mcpServers":{"a":{"command":"run-a","args":["1"],"env":{"KEY":"s3cret"}},"web":{"url":"https://a.example/"}}}`;
	writeFileSync(path, before);
	const said = async (...args: string[]) => {
		const { status, stdout, stderr } = await holdfast([...args, "--json"]);
		assert.deepEqual([status, stderr], [0, ""], args.join(" "));
		return JSON.parse(stdout);
	};
	const client = "cursor";
	const left = ["web (no command starts it)"];
	const elsewhere: never[] = [];
	const { text, ...planned } = await said("wrap", client, "--print");
	assert.deepEqual(planned, { client, path, changed: ["a"], left, elsewhere });
	assert.match(text, /"host", "--name", "a", "--no-ops-tools", "--", "run-a", "1"/);
	assert.deepEqual(await said("wrap", client), { client, path, changed: ["a"], left, elsewhere });
	assert.deepEqual(await said("wrap", client, "--undo"), { client, path, changed: ["a"], left, elsewhere });
	assert.deepEqual(await said("install", client), { client, path, outcome: "written" });
	assert.deepEqual(await said("install", client), { client, path, outcome: "unchanged" });
	assert.deepEqual(await said("uninstall", client), { client, path, outcome: "restored" });
	const file = join(home, ".config/holdfast/metatools.json");
	const found = { client, scope: "user", path };
	const servers = [
		{ name: "a", ...found, command: "run-a", args: ["1"], env: ["KEY"] },
		{ name: "web", ...found, url: "https://a.example/" },
	];
	const nothing = { added: [], kept: [], moved: [] };
	assert.deepEqual(await said("import", client), { file, servers, problems: [], elsewhere, ...nothing });
	assert.equal(existsSync(file), false);
	const moved = [
		{ path, name: "a" },
		{ path, name: "web" },
	];
	assert.deepEqual(await said("import", client, "--yes", "--move"), {
		file,
		servers,
		problems: [],
		elsewhere,
		...nothing,
		added: ["a", "web"],
		moved,
	});
	assert.doesNotMatch(readFileSync(path, "utf8"), /run-a/);
	const given = moved;
	const unasked = await holdfast(["import", client, "--undo", "--json"]);
	assert.deepEqual(
		[unasked.status, unasked.stderr],
		[2, "holdfast import: --undo: expected with --yes, as it changes files and --json never asks\n"],
	);
	assert.doesNotMatch(readFileSync(path, "utf8"), /run-a/);
	assert.deepEqual(await said("import", client, "--undo", "--yes"), {
		file,
		given,
		removed: ["a", "web"],
		left: [],
		elsewhere: [],
		problems: [],
	});
	assert.equal(readFileSync(path, "utf8"), before);
	assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { mcpServers: {} }, "a gateway that runs has to see it");
	rmSync(file);
});

test("Ctrl-C and Ctrl-D at the question of import are a no", {
	skip: process.platform === "linux" && existsSync(SCRIPT) ? false : `there is no ${SCRIPT} of Linux`,
}, async () => {
	const file = join(home, ".cursor/mcp.json");
	writeFileSync(file, JSON.stringify({ mcpServers: { files: { command: "files" } } }));
	for (const key of ["\u0003", "\u0004"]) {
		const line = `${process.execPath} ${BIN} import cursor`;
		const terminal = spawn(SCRIPT, ["-qec", line, "/dev/null"], { env, cwd: project });
		terminal.stdout.setEncoding("utf8");
		let shown = "";
		for await (const text of terminal.stdout) {
			if (!shown.includes("[y/N]") && (shown + text).includes("[y/N]")) terminal.stdin.write(key);
			shown += text;
		}
		assert.match(shown, /\[y\/N\] \S*\r\nNothing was changed\.\r\n$/);
		assert.equal(terminal.exitCode ?? (await once(terminal, "exit"))[0], 1);
	}
	assert.equal(existsSync(join(home, ".config/holdfast/metatools.json")), false);
	rmSync(file);
});

test("hosts and the gateway come out of a file in any order, and nobody else's byte with them", async () => {
	const file = join(home, ".cursor/mcp.json");
	const before = `\ufeff{\r\n  // mine\r\n  "mcpServers": {\r\n    "a": { "command": "a" },\r\n    "b": {\r\n      "command": "b",\r\n      "args": ["1", // one\r\n        "2"]\r\n    },\r\n  },\r\n}`;
	const now = () => readFileSync(file, "utf8");
	const run = async (...args: string[]) => assert.equal((await holdfast(args)).status, 0);
	const backups = () => readdirSync(join(home, ".local/state/holdfast/backups"));
	writeFileSync(file, before);
	await run("wrap", "cursor");
	const wrapped = now();
	await run("install", "cursor");
	await run("uninstall", "cursor");
	assert.equal(now(), wrapped);
	assert.equal((await holdfast(["wrap", "cursor", "--undo", "--print"])).stdout, before);
	await run("wrap", "cursor", "--undo");
	assert.equal(now(), before);
	await run("wrap", "cursor");
	await run("install", "cursor");
	await run("wrap", "cursor", "--undo");
	assert.match(now(), /"holdfast"/);
	await run("uninstall", "cursor");
	assert.doesNotMatch(now(), /holdfast/);
	assert.deepEqual(backups(), []);
	// A server that came later gets a host by a second wrap; one undo takes out both.
	writeFileSync(file, before);
	await run("wrap", "cursor");
	writeFileSync(file, now().replace(`"mcpServers": {`, `"mcpServers": {"c": { "command": "c" },`));
	await run("wrap", "cursor");
	await run("wrap", "cursor", "--undo");
	assert.doesNotMatch(now(), /holdfast/);
	assert.deepEqual(backups(), []);
	rmSync(file);
});

test("a host taken out with another change upon it leaves no arguments where there were none", async () => {
	const texts = {
		cursor: `{ // mine\n  "mcpServers": {\n    "a": {\n      "command": "a" // by hand\n    },\n    "b": { "command": "b", "args": [] }, "c": { "command": "c" }\n  }\n}\n`,
		codex: `# mine\n[mcp_servers.a]\r\ncommand = "a" # by hand\r\n\r\n[mcp_servers.b]\nargs = []\ncommand = "b"\n\n[mcp_servers]\nc = { command = "c" }\n`,
		zed: `{ "context_servers": { "a": { "command": { "path": "a" } }, "b": { "command": "b", "args": [] } } }`,
	} as const;
	for (const [client, before] of Object.entries(texts)) {
		const { path } = JSON.parse((await holdfast(["install", client, "--print", "--json"])).stdout);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, before);
		for (const [command, ...args] of [["wrap"], ["install"], ["wrap", "--undo"], ["uninstall"]] as const)
			assert.equal((await holdfast([command, client, ...args])).status, 0);
		assert.equal(readFileSync(path, "utf8"), before);
		rmSync(path);
	}
	rmSync(join(home, ".codex"), { recursive: true });
});

test("a host that somebody wrote by hand keeps its options through a wrap that is undone, also after an edit", async () => {
	const file = join(home, ".cursor/mcp.json");
	const hand = `"pay": { "command": "holdfast", "args": ["host", "--contract", "/c.json", "--", "pay"] }`;
	const before = `{ "mcpServers": { ${hand}, "b": { "command": "b" } } } // mine\n`;
	const now = () => readFileSync(file, "utf8");
	const undo = async () => (await holdfast(["wrap", "cursor", "--undo"])).stdout;
	writeFileSync(file, before);
	for (const edit of [(text: string) => text, (text: string) => text.replace("mine", "mine, edited")]) {
		assert.equal((await holdfast(["wrap", "cursor"])).status, 0);
		writeFileSync(file, edit(now()));
		assert.match(await undo(), /^took the host from 1 server in \S+: b\nleft as they are: pay \(had one before\)\n$/);
		assert.ok(now().includes(hand));
		assert.doesNotMatch(now(), /"host","--name"|"host", "--name"/);
		if (edit(before) === before) assert.equal(now(), before);
	}
	// Whoever never wrapped the file asks for just that.
	assert.match(await undo(), /^took the host from 1 server in \S+: pay\n/);
	rmSync(file);
});

test("the gateway and the servers behind it are undone in any order, and the agent's file is byte for byte what it was", async () => {
	const backups = () => readdirSync(join(home, ".local/state/holdfast/backups"));
	const run = async (...args: string[]) => assert.equal((await holdfast(args)).status, 0, args.join(" "));
	const texts = {
		codex: `model = "o4" # mine\n\n# counts\n[mcp_servers.odd] # inline\ncommand = "node"\nargs = [\n  "odd.mjs", # path\n  "7",\n]\n\n[mcp_servers.odd.env]\nA = '1'\n\n[tui]\ntheme = "x"\n`,
		vscode: `{\n\t// the good one\n\t"servers": {\n\t\t"vs": { "command": "node", /* here */ "args": ["a"] }, // keep\n\t\t"two": { "command": "two" }\n\t}\n}\n`,
		"claude-code": `{"mcpServers": {"a": {"command": "a" }}, "projects": {${JSON.stringify(project)}: {"mcpServers": {"b" : {"command": "b"}}}}}`,
	} as const;
	for (const [client, before] of Object.entries(texts)) {
		const { path } = JSON.parse((await holdfast(["install", client, "--print", "--json"])).stdout);
		mkdirSync(dirname(path), { recursive: true });
		const steps = { install: ["install", client], move: ["import", client, "--move", "--yes"] };
		const undos = { install: ["uninstall", client], move: ["import", client, "--undo", "--yes"] };
		for (const first of ["install", "move"] as const)
			for (const undone of ["install", "move"] as const) {
				writeFileSync(path, before);
				await run(...steps[first]);
				await run(...steps[first === "install" ? "move" : "install"]);
				await run(...undos[undone]);
				await run(...undos[undone === "install" ? "move" : "install"]);
				assert.equal(readFileSync(path, "utf8"), before, `${client}: ${first} first, ${undone} undone first`);
				assert.deepEqual(backups(), []);
			}
		rmSync(path);
	}
	rmSync(join(home, ".codex"), { recursive: true });
	rmSync(join(home, ".config/holdfast/metatools.json"), { force: true });
});

test("no backup is kept of hosts that were taken out with those of another project", async () => {
	const file = join(home, ".claude.json");
	const backups = () => readdirSync(join(home, ".local/state/holdfast/backups"));
	const elsewhere = join(home, "yet another");
	mkdirSync(elsewhere);
	const before = JSON.stringify({
		mcpServers: { a: { command: "a", args: [] } },
		projects: { [project]: { mcpServers: { b: { command: "b", args: [] } } } },
	});
	writeFileSync(file, before);
	for (const cwd of [elsewhere, project]) await holdfast(["wrap", "claude-code"], PATH, cwd);
	await holdfast(["wrap", "claude-code", "--undo"], PATH, project);
	assert.deepEqual([readFileSync(file, "utf8"), backups()], [before, []]);
	rmSync(file);
});

test("servers of one name in several lists of a file are told apart when hosts are taken out", async () => {
	const file = join(home, ".claude.json");
	const gateway = join(home, ".config/holdfast/metatools.json");
	const other = join(home, "of the same name");
	mkdirSync(other);
	const now = () => readFileSync(file, "utf8");
	const undo = async (cwd: string) => (await holdfast(["wrap", "claude-code", "--undo"], PATH, cwd)).stdout;
	const files = (...args: string[]) => ({ mcpServers: { files: { command: "npx", args } } });
	const byHand = { command: "holdfast", args: ["host", "--deadline", "5m", "--", "npx", "files"] };
	const projects = { [project]: files("here"), [other]: files("there") };
	const before = JSON.stringify({ mcpServers: { files: byHand }, projects }, undefined, 2);
	for (const edit of ["", "\n"]) {
		writeFileSync(file, before);
		assert.equal((await holdfast(["wrap", "claude-code"])).status, 0);
		writeFileSync(file, `${now()}${edit}`);
		assert.match(await undo(project), /^took the host from 1 server in \S+: files\nleft as they are: files \(had one/);
		assert.deepEqual(JSON.parse(now()), JSON.parse(before));
	}
	// The user's list is the same from every folder.
	writeFileSync(file, before);
	assert.equal((await holdfast(["wrap", "claude-code"])).status, 0);
	assert.match(await undo(other), /^No server to change in \S+\nleft as they are: files \(had one before\), files/);
	assert.match(await undo(project), /^took the host from 1 server/);
	assert.equal(now(), before);
	// What has moved out of one project's list is no matter of another's.
	const local = JSON.stringify({ projects });
	writeFileSync(file, local);
	for (const [cwd, args] of [
		[project, ["wrap", "claude-code"]],
		[project, ["import", "claude-code", "--yes", "--move"]],
		[other, ["wrap", "claude-code"]],
	] as const)
		assert.equal((await holdfast(args, PATH, cwd)).status, 0);
	assert.doesNotMatch(await undo(other), /moved behind/);
	assert.match(
		await undo(project),
		/left as they are: files \(moved behind the gateway; its host comes back with it\)/,
	);
	assert.equal((await holdfast(["import", "claude-code", "--undo", "--yes"])).status, 0);
	assert.match(await undo(project), /^took the host from 1 server/);
	assert.equal(now(), local);
	for (const written of [file, gateway]) rmSync(written, { force: true });
});

test("what is wrong with another project's servers hinders nobody in this one", async () => {
	const file = join(home, ".claude.json");
	const odd = '"/odd": {"mcpServers": null}, "/twice": {"mcpServers": {"c": {"command": "c", "command": "d"}}}';
	const plain = (name: string) => JSON.stringify({ mcpServers: { [name]: { command: name, args: [] } } });
	const before = `{"projects": {${odd}, ${JSON.stringify(project)}: ${plain("a")}, "/other": ${plain("b")}}}`;
	const more = "1 more in other projects: b (/other); run the command in the project's folder";
	writeFileSync(file, before);
	const { status, stdout, stderr } = await holdfast(["wrap", "claude-code"]);
	assert.deepEqual([status, stderr], [0, ""]);
	assert.ok(stdout.includes(`: a\n${more}\n`), stdout);
	assert.equal((await holdfast(["wrap", "claude-code", "--undo"])).status, 0);
	assert.equal(readFileSync(file, "utf8"), before);
	rmSync(file);
});

test("hosts that were put there for one project stay when those of another are taken out", async () => {
	const file = join(home, ".claude.json");
	const other = join(home, "another project");
	mkdirSync(other);
	const servers = (name: string) => ({ mcpServers: { [name]: { command: name, args: [] } } });
	const before = JSON.stringify({ projects: { [project]: servers("a"), [other]: servers("b") } });
	writeFileSync(file, before);
	const hosted = (): boolean[] => {
		const { projects } = JSON.parse(readFileSync(file, "utf8"));
		return [projects[project].mcpServers.a, projects[other].mcpServers.b].map(({ args }) => args.includes("host"));
	};
	const more = (name: string, where: string) =>
		`1 more in other projects: ${name} (${where}); run the command in the project's folder`;
	for (const [cwd, args, after, told] of [
		[project, ["wrap", "claude-code"], [true, false], more("b", other)],
		[other, ["wrap", "claude-code"], [true, true], undefined],
		[project, ["wrap", "claude-code", "--undo"], [false, true], more("b", other)],
	] as const) {
		const { status, stdout } = await holdfast(args, PATH, cwd);
		assert.equal(status, 0);
		assert.deepEqual(hosted(), after);
		assert.equal(
			stdout.split("\n").find((line) => line.includes("other projects")),
			told,
		);
	}
	// Where no project's folder is, there is nothing to import, and the command says where there is.
	const found = await holdfast(["import", "claude-code"], PATH, home);
	assert.match(found.stdout, /^No servers found for Claude Code\.$/m);
	assert.equal(
		found.stderr,
		`2 more in other projects: a (${project}), b (${other}); run the command in the project's folder\n`,
	);
	const { elsewhere } = JSON.parse((await holdfast(["import", "claude-code", "--json"], PATH, home)).stdout);
	assert.deepEqual(elsewhere, [
		{ name: "a", project },
		{ name: "b", project: other },
	]);
	rmSync(file);
});

test("import says that there are no others where it has skipped a server, and uninstall's help lists the agents", async () => {
	const file = join(home, ".cursor/mcp.json");
	writeFileSync(file, JSON.stringify({ mcpServers: { off: { command: "x", disabled: true } } }));
	assert.match((await holdfast(["import", "cursor"])).stdout, /^No other servers found for Cursor\.$/m);
	assert.match((await holdfast(["uninstall", "--help"])).stdout, /cursor, vscode, codex/);
	rmSync(file);
});

test("import says which name a second server of one name gets before it asks", async () => {
	const cursor = join(home, ".cursor/mcp.json");
	const claude = join(home, ".claude.json");
	writeFileSync(claude, JSON.stringify({ mcpServers: { a: { command: "one" } } }));
	writeFileSync(cursor, JSON.stringify({ mcpServers: { a: { command: "two" } } }));
	const { stdout, stderr } = await holdfast(["import", "claude-code", "cursor"]);
	assert.equal(
		stdout,
		"a (Claude Code, user)\n    one\na (Cursor, user)\n    two\n    as a-cursor, because another server is called a\n\n",
	);
	assert.match(stderr, /--yes agrees without asking/);
	for (const file of [cursor, claude]) rmSync(file);
});

test("what --move took out of agents' files, --undo gives back, and takes from behind the gateway", async () => {
	const cursor = join(home, ".cursor/mcp.json");
	const claude = join(home, ".claude.json");
	const codex = join(home, ".codex/config.toml");
	const gateway = join(home, ".config/holdfast/metatools.json");
	const files = {
		[cursor]: `{\r\n\t"mcpServers": {\r\n\t\t// first\r\n\t\t"a": { "command": "a", "alwaysAllow": ["x"] },\r\n\t\t"b": {"url": "https://b.example/"},\r\n\t},\r\n}`,
		[claude]: JSON.stringify({
			mcpServers: { a: { command: "a" } },
			projects: { [project]: { mcpServers: { c: { command: "c", args: ["1"] } } } },
		}),
		[codex]: `model = "o9"\n\n[mcp_servers.d] # mine\ncommand = "d"\nenv_vars = ["KEY"]\n\n[mcp_servers.d.env]\nX = "1"\n\n[profiles.work]\nmodel = "o9"\n`,
	};
	mkdirSync(dirname(codex));
	const now = (path: string) => readFileSync(path, "utf8");
	const behind = () => (existsSync(gateway) ? Object.keys(JSON.parse(now(gateway)).mcpServers) : []);
	const run = async (...args: string[]) => {
		const { status, stdout, stderr } = await holdfast(["import", ...args]);
		assert.equal(status, 0, stderr);
		return stdout;
	};

	for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
	assert.match(await run("--yes", "--move"), /; holdfast import --undo gives the servers back\.\n/);
	for (const path of Object.keys(files)) assert.doesNotMatch(now(path), /command|url/);
	assert.deepEqual(behind(), ["a", "c", "b", "d"]);
	assert.equal(
		await run("--undo"),
		`gave back to ${claude}: c, a\ngave back to ${cursor}: a, b\ngave back to ${codex}: d\ntook out of ${gateway}: a, c, b, d\n`,
	);
	for (const [path, text] of Object.entries(files)) assert.equal(now(path), text);
	assert.deepEqual(behind(), []);
	assert.match(await run("--undo"), /^Nothing to undo/);

	// Whatever was written since stays, and what another agent is still without stays behind the gateway.
	await run("--yes", "--move");
	writeFileSync(cursor, now(cursor).replace(`"mcpServers": {`, `"mcpServers": {"e": {"command": "e"},`));
	writeFileSync(codex, `${now(codex)}approval_policy = "never"\n`);
	await run("cursor", "--yes", "--move");
	writeFileSync(cursor, now(cursor).replace(`"mcpServers": {`, `"mcpServers": {"f": {"command": "f"}`));
	const undone = JSON.parse(await run("cursor", "codex", "--undo", "--json", "--yes"));
	assert.deepEqual([undone.removed, undone.left], [["b", "e", "d"], ["a"]]);
	const parsed = (path: string) =>
		JSON.parse(
			now(path)
				.replace("// first", "")
				.replace(/,(?=\s*\})/g, ""),
		);
	assert.deepEqual(parsed(cursor).mcpServers, {
		a: { command: "a", alwaysAllow: ["x"] },
		b: { url: "https://b.example/" },
		e: { command: "e" },
		f: { command: "f" },
	});
	assert.match(
		now(codex),
		/approval_policy = "never"\n\n\[mcp_servers\.d\]\ncommand = "d"\nenv_vars = \["KEY"\]\n\n\[mcp_servers\.d\.env\]\nX = "1"\n$/,
	);
	assert.deepEqual(behind(), ["a", "c"]);
	const changed = now(gateway).replace(`"command": "a"`, `"command": "a2"`);
	writeFileSync(gateway, changed);
	assert.match(await run("claude-code", "--undo"), /\nleft in \S+, changed there[^\n]*: a\n$/);
	assert.equal(now(claude), files[claude]);
	assert.deepEqual(behind(), ["a"]);
	const wrong = await holdfast(["import", "--undo", "--move"]);
	assert.deepEqual([wrong.status, wrong.stderr], [2, "holdfast import: --undo: expected without --move\n"]);
	for (const path of [...Object.keys(files), gateway]) rmSync(path);
});

test("what was moved out of another folder's list is named by --undo, and given back there", async () => {
	const other = join(home, "other");
	mkdirSync(other);
	const file = join(project, ".mcp.json");
	const before = `{"mcpServers":{"a":{"command":"a"}}}`;
	writeFileSync(file, before);
	assert.equal((await holdfast(["import", "claude-code", "--yes", "--move"])).status, 0);
	const elsewhere = await holdfast(["import", "--undo"], PATH, other);
	assert.equal(
		elsewhere.stdout,
		`still out of ${file}: a; holdfast import --undo in ${project} gives back\n`,
		elsewhere.stderr,
	);
	const { elsewhere: told } = JSON.parse((await holdfast(["import", "--undo", "--json", "--yes"], PATH, other)).stdout);
	assert.deepEqual(told, [{ path: file, name: "a", project }]);
	assert.match((await holdfast(["import", "--undo"])).stdout, /^gave back to/);
	assert.equal(readFileSync(file, "utf8"), before);
	assert.match((await holdfast(["import", "--undo"], PATH, other)).stdout, /^Nothing to undo/);
	rmSync(file);
});

test("a backup that cannot be read ends --undo and --move before they change anything, and stays", async () => {
	const file = join(home, ".cursor/mcp.json");
	const before = `{"mcpServers":{"a":{"command":"a"}}}`;
	const gateway = join(home, ".config/holdfast/metatools.json");
	const backups = join(home, ".local/state/holdfast/backups");
	writeFileSync(file, before);
	assert.equal((await holdfast(["import", "cursor", "--yes", "--move"])).status, 0);
	const texts = () => [file, gateway].map((path) => readFileSync(path, "utf8"));
	const moved = texts();
	const record = readdirSync(backups)
		.map((name) => join(backups, name))
		.find((path) => "taken" in JSON.parse(readFileSync(path, "utf8")));
	assert.ok(record !== undefined);
	const whole = readFileSync(record, "utf8");
	for (const damaged of [whole.slice(0, 100), "null", JSON.stringify({ ...JSON.parse(whole), taken: { a: 1 } })]) {
		writeFileSync(record, damaged);
		const undo = await holdfast(["import", "cursor", "--undo"]);
		const says: string = `holdfast import: ${record}: this backup is damaged; to go on without it, move it away\n`;
		assert.deepEqual([undo.status, undo.stderr, readFileSync(record, "utf8")], [1, says, damaged]);
		assert.deepEqual(texts(), moved);
	}
	rmSync(record);
	mkdirSync(record);
	const unread = await holdfast(["import", "cursor", "--undo"]);
	assert.deepEqual([unread.status, existsSync(record), texts()], [1, true, moved], unread.stderr);
	assert.ok(unread.stderr.startsWith(`holdfast import: ${record}: `), unread.stderr);
	rmSync(record, { recursive: true });
	writeFileSync(record, "{");
	writeFileSync(file, `{"mcpServers":{"b":{"command":"b"}}}`);
	const again = await holdfast(["import", "cursor", "--yes", "--move"]);
	assert.equal(again.status, 1);
	assert.match(again.stderr, /^left where it was b \(Cursor, user\): \S+\.json: this backup is damaged/);
	assert.equal(readFileSync(record, "utf8"), "{");
	writeFileSync(file, moved[0] ?? "");
	writeFileSync(record, whole);
	assert.equal((await holdfast(["import", "cursor", "--undo"])).status, 0);
	assert.equal(readFileSync(file, "utf8"), before);
	for (const path of [file, gateway]) rmSync(path);
});

test("an import with a file that cannot be read takes the servers of the others, names the place, and exits 1", async () => {
	const cursor = join(home, ".cursor/mcp.json");
	const gemini = join(home, ".gemini/settings.json");
	mkdirSync(dirname(gemini), { recursive: true });
	const was = existsSync(cursor) ? readFileSync(cursor) : undefined;
	writeFileSync(cursor, '{\n\t"mcpServers": {\n\t\t"a": oops\n');
	const empty = await holdfast(["import", "--yes"]);
	assert.deepEqual([empty.status, /^No servers found/.test(empty.stdout)], [1, true]);

	writeFileSync(gemini, '{"mcpServers":{"sound":{"command":"sound"}}}');
	const { stdout, stderr, status } = await holdfast(["import", "--yes"]);
	assert.equal(stderr, `skipped ${cursor}: line 3: not valid JSON (invalid symbol); correct it first\n`);
	assert.match(stdout, /^added sound$/m);
	assert.equal(status, 1);
	const told = await holdfast(["import", "--json", "--yes"]);
	const { problems, kept } = JSON.parse(told.stdout);
	assert.deepEqual([told.status, problems, kept], [1, [stderr.slice("skipped ".length).trimEnd()], ["sound"]]);

	assert.equal((await holdfast(["import", "gemini", "--undo"])).status, 0);
	rmSync(gemini);
	if (was === undefined) rmSync(cursor);
	else writeFileSync(cursor, was);
});

test("one file that cannot be changed keeps no other from being, and is named", async () => {
	const cursor = join(home, ".cursor/mcp.json");
	const codex = join(home, ".codex/config.toml");
	const gemini = join(home, ".gemini/settings.json");
	const gateway = join(home, ".config/holdfast/metatools.json");
	for (const path of [codex, gemini]) mkdirSync(dirname(path), { recursive: true });
	const servers = (name: string) => `{"mcpServers":{"${name}":{"command":"${name}"}}}`;
	writeFileSync(cursor, servers("a"));
	writeFileSync(codex, `mcp_servers.b.command = "b"\n`);
	writeFileSync(gemini, servers("c"));
	const moved = await holdfast(["import", "--yes", "--move"]);
	assert.match(moved.stdout, new RegExp(`took out of ${cursor}: a\ntook out of ${gemini}: c\n`));
	assert.match(moved.stderr, /^left where it was b \(Codex, user\): \S+config\.toml: expected \[mcp_servers\.b\]/);
	assert.equal(moved.status, 1);
	assert.equal(readFileSync(codex, "utf8"), `mcp_servers.b.command = "b"\n`);

	writeFileSync(cursor, "{ oops");
	const undone = await holdfast(["import", "--undo"]);
	assert.match(undone.stderr, /^skipped \S+mcp\.json: line 1: not valid JSON/);
	assert.equal(undone.status, 1);
	assert.match(undone.stdout, new RegExp(`^gave back to ${gemini}: c\ntook out of ${gateway}: b, c\n`));
	assert.equal(readFileSync(gemini, "utf8"), servers("c"));
	assert.equal((await holdfast(["import", "cursor", "--undo"])).stdout, "Nothing was changed.\n");
	writeFileSync(cursor, "");
	assert.match((await holdfast(["import", "--undo"])).stdout, /^gave back to \S+mcp\.json: a\n/);
	assert.deepEqual(JSON.parse(readFileSync(cursor, "utf8")), JSON.parse(servers("a")));
	for (const path of [cursor, codex, gemini, gateway]) rmSync(path, { force: true });
});

test("an agent's file of another shape is named, and a gateway's file that is broken lets nothing be given back", async () => {
	const cursor = join(home, ".cursor/mcp.json");
	const gateway = join(home, ".config/holdfast/metatools.json");
	for (const [text, says] of [
		["[]", "expected an object at the top of the file"],
		["null", "expected an object at the top of the file"],
		['{"mcpServers":[]}', "mcpServers: expected an object, got []"],
		['{"mcpServers":null}', "mcpServers: expected an object, got null"],
	]) {
		writeFileSync(cursor, text ?? "");
		const { status, stderr } = await holdfast(["import", "cursor", "--yes"]);
		assert.deepEqual([status, stderr], [1, `skipped ${cursor}: ${says}\n`]);
		assert.equal((await holdfast(["wrap", "cursor"])).status, 1);
	}
	writeFileSync(cursor, '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b","args":"x y"}}}');
	const moved = await holdfast(["import", "cursor", "--yes", "--move"]);
	assert.equal(moved.stderr, "skipped b (Cursor, user): its args are no list\n");
	const left = readFileSync(cursor, "utf8");
	const whole = readFileSync(gateway, "utf8");
	writeFileSync(gateway, whole.slice(0, -3));
	const broken = await holdfast(["import", "cursor", "--undo"]);
	assert.deepEqual([broken.status, broken.stdout, readFileSync(cursor, "utf8")], [1, "", left]);
	assert.match(broken.stderr, /metatools\.json: line \d+: not valid JSON/);
	writeFileSync(gateway, whole);
	assert.equal((await holdfast(["import", "cursor", "--undo"])).status, 0);
	assert.match(readFileSync(cursor, "utf8"), /"a"/);
	for (const path of [cursor, gateway]) rmSync(path, { force: true });
});

test("a project's file names no path of this machine where the command is on the PATH", async () => {
	const entry = async (path: string) => {
		const { stdout } = await holdfast(["install", "claude-code", "--scope", "project", "--print"], path);
		return JSON.parse(stdout).mcpServers.holdfast;
	};
	assert.deepEqual((await entry(PATH)).args, [BIN, "serve"]);
	symlinkSync(BIN, join(bin, "holdfast"));
	assert.deepEqual(await entry(`${bin}:${PATH}`), { type: "stdio", command: "holdfast", args: ["serve"] });
	const forUser = (await holdfast(["install", "claude-code", "--print"], `${bin}:${PATH}`)).stdout;
	assert.equal(JSON.parse(forUser).mcpServers.holdfast.command, process.execPath);
});

test("a checkout that an agent's file comes to point into is named, and a command on the PATH needs none", async () => {
	const kept = `It starts Holdfast from ${dirname(dirname(dirname(dirname(BIN))))}: keep that folder, or undo this, install Holdfast and do it again.\n`;
	const file = join(home, ".cursor/mcp.json");
	writeFileSync(file, `{"mcpServers":{"a":{"command":"a"}}}`);
	const says = async (...args: string[]) => (await holdfast(args, `${bin}:${PATH}`)).stdout.includes(kept);
	assert.equal(await says("wrap", "cursor"), true);
	assert.equal(await says("wrap", "cursor", "--undo"), false);
	assert.equal(await says("install", "cursor"), true);
	assert.equal(await says("install", "cursor", "--url", "http://127.0.0.1:9/"), false);
	assert.equal(await says("install", "cursor", "--scope", "project"), false);
	for (const path of [file, join(project, ".cursor/mcp.json")]) rmSync(path);
});

test("what stays in an agent's list although the gateway has it is named when the gateway comes there", async () => {
	const file = join(home, ".cursor/mcp.json");
	const servers = { same: { command: "run", args: ["1"] }, other: { command: "run", args: ["2"] } };
	writeFileSync(file, JSON.stringify({ mcpServers: servers }));
	const twice = async () => /^twice .*$/m.exec((await holdfast(["install", "cursor"])).stdout)?.[0];
	assert.equal(await twice(), undefined);
	assert.equal((await holdfast(["import", "cursor", "--yes"])).status, 0);
	writeFileSync(file, readFileSync(file, "utf8").replace(/"2"/, `"3"`));
	assert.equal(
		await twice(),
		"twice Cursor also starts by itself what the gateway has: same; holdfast import cursor --move takes them out of its list.",
	);
	assert.equal((await holdfast(["import", "cursor", "--yes", "--move"])).status, 0);
	assert.equal(await twice(), undefined);
	for (const path of [file, join(home, ".config/holdfast/metatools.json")]) rmSync(path);
});

test("without a client, those that keep a file here are named first, with how many servers they have", async () => {
	const codex = join(home, ".codex/config.toml");
	const cursor = join(home, ".cursor/mcp.json");
	mkdirSync(dirname(codex), { recursive: true });
	writeFileSync(
		cursor,
		`{"mcpServers":{"a":{"command":"a"},"b":{"url":"https://b.example/"},"holdfast":{"command":"holdfast"}}}`,
	);
	writeFileSync(codex, "= broken");
	const { status, stderr } = await holdfast(["wrap"]);
	assert.equal(status, 2);
	assert.match(
		stderr,
		/^holdfast wrap: client: expected one of those found here, cursor \(2 servers\), codex, or of claude-desktop, claude-code, vscode, .*, zed, got nothing\n$/,
	);
	for (const path of [cursor, codex]) rmSync(path);
});

test("the console's address is taken for the server behind it", async () => {
	const url = async (address: string) =>
		JSON.parse((await holdfast(["install", "cursor", "--print", "--url", address])).stdout).mcpServers.holdfast.url;
	assert.equal(await url("http://127.0.0.1:8080"), "http://127.0.0.1:8080/mcp");
	assert.equal(await url("http://127.0.0.1:8080/mcp/files"), "http://127.0.0.1:8080/mcp/files");
});

test("an agent that was told to keep its files elsewhere is found there", async () => {
	const elsewhere = join(home, "elsewhere");
	mkdirSync(elsewhere);
	const told = { ...env, CLAUDE_CONFIG_DIR: elsewhere, CODEX_HOME: elsewhere };
	for (const [client, file] of [
		["claude-code", ".claude.json"],
		["codex", "config.toml"],
	] as const) {
		const run = (command: string) => inProcess([command, client, "--json"], { env: told, cwd: project });
		const path = join(elsewhere, file);
		assert.deepEqual(JSON.parse((await run("install")).stdout), { client, path, outcome: "written" });
		assert.match(readFileSync(path, "utf8"), /holdfast/);
		assert.deepEqual(JSON.parse((await run("uninstall")).stdout), { client, path, outcome: "deleted" });
		assert.equal(existsSync(path), false);
	}
});

test("commands that are started at once change the files one after the other, and no server is lost", {
	timeout: 120_000,
}, async () => {
	const own = join(home, "at-once");
	const files = {
		cursor: [".cursor/mcp.json", "mcpServers"],
		gemini: [".gemini/settings.json", "mcpServers"],
		windsurf: [".codeium/windsurf/mcp_config.json", "mcpServers"],
		copilot: [".copilot/mcp-config.json", "mcpServers"],
		zed: [".config/zed/settings.json", "context_servers"],
	} as const;
	for (const [client, [file, key]] of Object.entries(files)) {
		mkdirSync(dirname(join(own, file)), { recursive: true });
		writeFileSync(join(own, file), JSON.stringify({ [key]: { [`of-${client}`]: { command: client } } }));
	}
	const state = join(own, ".local/state/holdfast");
	mkdirSync(state, { recursive: true });
	// A command that was killed in the middle of its change holds nobody up.
	writeFileSync(join(state, `changing.turn.${hostname()}.${spawnSync("true").pid}.killed`), "");
	const options = { env: { ...env, HOME: own }, cwd: own, stdio: "ignore" } as const;
	const codes = Object.keys(files).map(async (client) => {
		const [code] = await once(spawn(process.execPath, [BIN, "import", client, "--yes", "--move"], options), "exit");
		return code;
	});
	assert.deepEqual(await Promise.all(codes), [0, 0, 0, 0, 0]);
	const { mcpServers } = JSON.parse(readFileSync(join(own, ".config/holdfast/metatools.json"), "utf8"));
	assert.deepEqual(
		Object.keys(mcpServers).sort(),
		Object.keys(files)
			.map((client) => `of-${client}`)
			.sort(),
	);
	assert.deepEqual(readdirSync(state), ["backups"]);
});
