import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../../../../e2e/temporaryFolder.ts";
import { checkFolders, checkNode, checkPort } from "../../src/doctor/machineFindings.ts";
import { checkServers, readConfiguration } from "../../src/doctor/serverFindings.ts";

const HOSTILE = fileURLToPath(new URL("../console/hostileServer.ts", import.meta.url));

void test("a Node older than the oldest supported one is broken, and says what to install", () => {
	assert.equal(checkNode("22.18.0").verdict, "good");
	assert.equal(checkNode("24.0.0").verdict, "good");
	assert.deepEqual(checkNode("22.17.9"), {
		verdict: "bad",
		subject: "node",
		says: "22.17.9",
		remedy: "install Node 22.18 or newer",
	});
});

void test("a port in use is found, with a way round it", async () => {
	const server = createServer((socket) => socket.destroy());
	const port = await new Promise<number>((resolve) => {
		server.listen(0, "127.0.0.1", () => {
			const address = server.address();
			resolve(typeof address === "object" && address !== null ? address.port : 0);
		});
	});
	const taken = await checkPort("127.0.0.1", port);
	await new Promise((resolve) => server.close(resolve));
	assert.equal(taken.verdict, "warn");
	assert.match(taken.says, /EADDRINUSE/);
	assert.equal((await checkPort("127.0.0.1", port)).verdict, "good");
});

void test("a configuration others can read is pointed out with the command that mends it", (t) => {
	const home = temporaryFolder(t);
	const found = { config: join(home, "config"), state: join(home, "state") };
	mkdirSync(found.config);
	const file = join(found.config, "metatools.json");
	writeFileSync(file, "{}");
	chmodSync(file, 0o644);
	const finding = checkFolders(found).find(({ subject }) => subject === "config file");
	assert.deepEqual(finding, {
		verdict: "warn",
		subject: "config file",
		says: `${file} can be read by others`,
		remedy: `chmod 600 ${file}`,
	});
	chmodSync(file, 0o600);
	assert.equal(
		checkFolders(found).find(({ subject }) => subject === "config file"),
		undefined,
	);
});

void test("of two configurations the doctor looks at the one it is asked about, and says when that is missing", (t) => {
	const home = temporaryFolder(t);
	const found = { config: join(home, "config"), state: join(home, "state") };
	mkdirSync(found.config);
	for (const [file, mode] of [
		[join(found.config, "metatools.json"), 0o644],
		[join(home, "other.json"), 0o600],
	] as const) {
		writeFileSync(file, "{}");
		chmodSync(file, mode);
	}
	const other = join(home, "other.json");
	const told = () => checkFolders(found, other).filter(({ verdict }) => verdict === "warn");
	assert.deepEqual(told(), []);
	chmodSync(other, 0o644);
	assert.deepEqual(
		told().map(({ says }) => says),
		[`${other} can be read by others`],
	);
	const [missing] = readConfiguration(join(home, "missing.json")).findings;
	assert.ok(missing !== undefined && "remedy" in missing);
	assert.match(missing.says, /missing\.json: no such file/);
	assert.equal(missing.remedy, "name a file that is there");
});

void test("a folder that cannot be looked into is a finding, and the others are still told", (t) => {
	const home = temporaryFolder(t);
	const config = join(home, "config");
	symlinkSync(config, config);
	const findings = checkFolders({ config, state: join(home, "state") });
	assert.deepEqual(
		findings.map(({ subject, verdict }) => [subject, verdict]),
		[
			["config folder", "bad"],
			["state folder", "good"],
		],
	);
});

void test("a name that the configuration gives to two servers is pointed out", (t) => {
	const home = temporaryFolder(t);
	const file = join(home, "metatools.json");
	writeFileSync(
		file,
		'{ "mcpServers": { "a": { "command": "one" }, "b": { "command": "x" }, "a": { "command": "two" } } }',
	);
	assert.deepEqual(readConfiguration(file).findings, [
		{ verdict: "good", subject: "config", says: `${file}, 2 servers` },
		{
			verdict: "warn",
			subject: "config",
			says: `${file}: a: expected once, got it twice; correct it first`,
			remedy: "rename one of them: only the last counts",
		},
	]);
});

void test("a server that is switched off is counted and named", (t) => {
	const home = temporaryFolder(t);
	const file = join(home, "metatools.json");
	writeFileSync(file, JSON.stringify({ mcpServers: { on: { command: "x" }, off: { command: "x", disabled: true } } }));
	assert.deepEqual(readConfiguration(file).findings, [
		{ verdict: "good", subject: "config", says: `${file}, 1 server, 1 switched off: off` },
	]);
});

void test("a working server is timed and a failing one is named with a remedy", async (t) => {
	const home = temporaryFolder(t);
	const file = join(home, "metatools.json");
	const memory = join(
		import.meta.dirname,
		"../../../../node_modules/@modelcontextprotocol/server-memory/dist/index.js",
	);
	writeFileSync(
		file,
		JSON.stringify({
			mcpServers: {
				memory: { command: process.execPath, args: [memory], env: { MEMORY_FILE_PATH: join(home, "memory.json") } },
				broken: { command: process.execPath, args: ["-e", "process.exit(3)"] },
				absent: { command: "no-such-command-at-all" },
				spaced: { command: "/no such folder/server" },
				line: { command: "npx -y some-mcp-server" },
			},
		}),
	);
	const { findings, config } = readConfiguration(file);
	assert.deepEqual(findings, [{ verdict: "good", subject: "config", says: `${file}, 5 servers` }]);
	assert.ok(config);
	const [first, second, third, spaced, line] = await checkServers(config, 60_000);
	assert.equal(first?.verdict, "good");
	assert.match(first?.says ?? "", /^9 tools, ready in \d+ ms$/);
	assert.equal(second?.verdict, "bad");
	assert.deepEqual(third, {
		verdict: "bad",
		subject: "server absent",
		says: "there is no command no-such-command-at-all",
		remedy: "install it, or write the whole path of its command",
	});
	assert.equal(spaced?.verdict === "bad" && spaced.remedy, third?.verdict === "bad" && third.remedy);
	assert.deepEqual(line, {
		verdict: "bad",
		subject: "server line",
		says: "there is no command npx -y some-mcp-server",
		remedy: 'write "npx" as its command, and the rest as its args',
	});
});

void test("a server of which a tool is left out is pointed out, with the tool", async (t) => {
	const home = temporaryFolder(t);
	const file = join(home, "metatools.json");
	const server = join(home, "server.mjs");
	writeFileSync(
		server,
		`import { createInterface } from "node:readline";
		const inputSchema = { type: "object" };
		const tools = [{ name: "fine", inputSchema }, { name: "long", description: "x".repeat(300_000), inputSchema }];
		const info = { capabilities: { tools: {} }, serverInfo: { name: "two", version: "1" } };
		for await (const line of createInterface({ input: process.stdin })) {
			const { id, method, params } = JSON.parse(line);
			if (id === undefined) continue;
			const result = method === "initialize" ? { protocolVersion: params.protocolVersion, ...info } : { tools };
			console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
		}`,
	);
	writeFileSync(file, JSON.stringify({ mcpServers: { two: { command: process.execPath, args: [server] } } }));
	const { config } = readConfiguration(file);
	assert.ok(config);
	const [found] = await checkServers(config, 60_000);
	assert.equal(found?.verdict, "warn");
	assert.match(found?.says ?? "", /^1 tool, ready in \d+ ms; "long" is left out: its definition has 300\d+ characters/);
});

void test("a server whose tools wait for approval is pointed out, with the command that shows them", async (t) => {
	const home = temporaryFolder(t);
	const file = join(home, "metatools.json");
	const server = {
		command: process.execPath,
		args: ["--disable-warning=ExperimentalWarning", HOSTILE, join(home, "x")],
	};
	const quarantine = { mode: "ask", file: join(home, "approvals.json") };
	writeFileSync(file, JSON.stringify({ quarantine, mcpServers: { held: server } }));
	const { config } = readConfiguration(file);
	assert.ok(config);
	const [found] = await checkServers(config, 60_000);
	assert.ok(found?.verdict === "warn");
	assert.match(found.says, /^4 tools, ready in \d+ ms; 4 of them cannot be run before approval$/);
	assert.equal(found.remedy, `holdfast approve --config ${file}`);
	writeFileSync(quarantine.file, "[]");
	const [damaged] = await checkServers(config, 60_000);
	assert.ok(damaged?.verdict === "warn");
	assert.equal(
		damaged.remedy,
		`restore or delete a file that cannot be read, ${quarantine.file}: it is damaged: not a JSON object`,
	);
});

void test("a program that is no MCP server is told by what it prints", async (t) => {
	const home = temporaryFolder(t);
	const file = join(home, "metatools.json");
	const args = ["-e", "console.log('Usage: thing --stdio'); setInterval(() => {}, 1e6)"];
	writeFileSync(file, JSON.stringify({ mcpServers: { odd: { command: process.execPath, args } } }));
	const { config } = readConfiguration(file);
	assert.ok(config);
	const [odd] = await checkServers(config, 10_000);
	assert.equal(odd?.says, 'what it prints on stdout is not MCP: "Usage: thing --stdio"');
});

void test("a server that does not answer is given up after its time, in the unit that the option has", async (t) => {
	const home = temporaryFolder(t);
	const file = join(home, "metatools.json");
	writeFileSync(file, JSON.stringify({ mcpServers: { slow: { command: "sleep", args: ["100"] } } }));
	const { config } = readConfiguration(file);
	assert.ok(config);
	const [slow] = await checkServers(config, 500);
	assert.equal(slow?.says, "no handshake within 0.5 s");
});

void test("only a few servers run at once, each is timed by itself, and their order is the configuration's", async (t) => {
	const home = temporaryFolder(t);
	const file = join(home, "metatools.json");
	// Each leaves a line when it starts and when it ends, and answers in the opposite order of the list.
	const record = join(home, "record");
	const server = join(home, "server.mjs");
	writeFileSync(
		server,
		`import { appendFileSync } from "node:fs";
		appendFileSync(${JSON.stringify(record)}, "+\\n");
		process.on("exit", () => appendFileSync(${JSON.stringify(record)}, "-\\n"));
		for (const [from, event] of [[process.stdin, "end"], [process, "SIGTERM"]]) from.on(event, () => process.exit());
		let text = "";
		process.stdin.on("data", (chunk) => {
			text += chunk;
			const lines = text.split("\\n");
			text = lines.pop();
			for (const { id, method } of lines.map((line) => JSON.parse(line))) {
				if (id === undefined) continue;
				const result = method === "initialize"
					? { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "slow", version: "1" } }
					: { tools: [] };
				setTimeout(() => console.log(JSON.stringify({ jsonrpc: "2.0", id, result })), Number(process.argv[2]));
			}
		});`,
	);
	const names = Array.from({ length: 9 }, (_, place) => `s${place}`);
	const mcpServers = Object.fromEntries(
		names.map((name, place) => [
			name,
			{ command: process.execPath, args: [server, String((names.length - place) * 20)] },
		]),
	);
	writeFileSync(file, JSON.stringify({ mcpServers }));
	const { config } = readConfiguration(file);
	assert.ok(config);
	const heard: string[] = [];
	const findings = await checkServers(config, 60_000, (tried, all, now) => heard.push(`${tried} of ${all}: ${now}`));
	assert.deepEqual(heard.slice(0, 4), ["0 of 9: s0", "0 of 9: s0,s1", "0 of 9: s0,s1,s2", "0 of 9: s0,s1,s2,s3"]);
	assert.equal(heard.at(-1), "9 of 9: ");
	assert.deepEqual(
		findings.map(({ subject, verdict }) => `${subject} ${verdict}`),
		names.map((name) => `server ${name} good`),
	);
	const marks = readFileSync(record, "utf8").trim().split("\n");
	assert.deepEqual([marks.length, marks.filter((mark) => mark === "+").length], [18, 9]);
	let running = 0;
	let most = 0;
	for (const mark of marks) {
		running += mark === "+" ? 1 : -1;
		most = Math.max(most, running);
	}
	assert.ok(most > 1 && most <= 4, `${most} ran at once`);
});

void test("what a configuration says of callers is checked as it will be when it serves", (t) => {
	const home = temporaryFolder(t);
	const file = join(home, "metatools.json");
	writeFileSync(file, '{"auth":{"keys":{"alice":"short"}}}');
	const [finding] = readConfiguration(file).findings;
	assert.equal(finding?.verdict, "bad");
	assert.equal(finding?.says, "auth.keys.alice.key: expected at least 16 characters, got 5");
});

void test("a configuration that cannot be read is a finding that names the file", () => {
	const { findings, config } = readConfiguration("/nonexistent/metatools.json");
	assert.equal(config, undefined);
	assert.equal(findings[0]?.verdict, "bad");
	assert.match(findings[0]?.says ?? "", /^\/nonexistent\/metatools\.json: /);
});

void test("a rule that names no server, or no tool of one that answers, is pointed out", async (t) => {
	const home = temporaryFolder(t);
	const file = join(home, "metatools.json");
	const memory = join(
		import.meta.dirname,
		"../../../../node_modules/@modelcontextprotocol/server-memory/dist/index.js",
	);
	const env = { MEMORY_FILE_PATH: join(home, "memory.json") };
	const deny = ["memory:delete_entites", "memroy:*", "pairofcleats:*"];
	writeFileSync(
		file,
		JSON.stringify({
			mcpServers: { memory: { command: process.execPath, args: [memory], env } },
			policy: { "*": { deny } },
		}),
	);
	const { config } = readConfiguration(file);
	assert.ok(config);
	const [server, ...rules] = await checkServers(config, 60_000);
	assert.equal(server?.verdict, "good");
	assert.deepEqual(
		rules.map(({ verdict, subject, says }) => [verdict, subject, says]),
		[
			["warn", "config", "policy.*.deny: memroy:*: no server is called memroy; did you mean memory?"],
			[
				"warn",
				"config",
				"policy.*.deny: no tool is called memory:delete_entites; did you mean memory:delete_entities?",
			],
		],
	);
});
