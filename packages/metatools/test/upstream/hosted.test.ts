import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Host } from "libmcp";
import { until } from "../../../../e2e/until.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { StdioSpec } from "../../src/upstream/spec.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { COMPILED } from "../fixtures/compileCache.ts";
import { type TestGateway, testGateway, texts } from "../fixtures/gateway.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-hosted-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const program = join(import.meta.dirname, "../fixtures/stdioServer.ts");

function spec(name: string, env: Record<string, string> = {}): StdioSpec {
	return {
		kind: "stdio",
		name,
		namespace: name,
		protocol: "auto",
		command: process.execPath,
		args: ["--disable-warning=ExperimentalWarning", program, join(folder, name)],
		env: { ...COMPILED, ...env },
	};
}

const journal = (name: string) =>
	existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8").trim().split("\n") : [];
const pids = (name: string) =>
	journal(name)
		.filter((line) => line.startsWith("started"))
		.map((line) => Number(line.split(" ")[1]));
const alive = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

// A few at once, since each mostly waits for its programs.
void describe("programs under a host", { concurrency: 3 }, () => {
	test("a program runs under a host: killed in a call that may be repeated, it answers; nothing is left at the end", {
		timeout: 120_000,
	}, async () => {
		const demo = await testGateway({ openTransport, config: { servers: [spec("safe", { DIE_ON: "count_safely" })] } });
		await until(() => demo.gateway.upstreams.all[0]?.state.kind === "ready");
		const data = await demo.data("run_tool", { tool_id: "safe:count_safely" });
		assert.match(String(data.structured), /count_safely/);
		assert.equal(pids("safe").length, 2);
		assert.equal(journal("safe").filter((line) => line === "count_safely").length, 2);
		await demo.stop();
		await until(() => pids("safe").every((pid) => !alive(pid)));
	});

	test("killed in a call that may not be repeated, the call fails once and the next succeeds", {
		timeout: 120_000,
	}, async () => {
		const demo = await testGateway({
			openTransport,
			config: { servers: [spec("once", { DIE_ON: "count" }), spec("beside")] },
		});
		await until(() => demo.gateway.upstreams.all.every(({ state }) => state.kind === "ready"));
		const failed = await demo.call("run_tool", { tool_id: "once:count" });
		const { error } = Object(failed.structuredContent);
		assert.deepEqual([error.code, error.retryable], ["execution_failed", false]);
		assert.deepEqual(error.details.fault, { class: "ambiguous_outcome", code: "outcome_unknown" });
		assert.equal(error.details.outcome, "unknown");
		assert.match(texts(failed), / \[ambiguous_outcome: check whether it took effect before repeating it\]$/);
		assert.equal(journal("once").filter((line) => line === "count").length, 1);
		assert.equal((await demo.data("run_tool", { tool_id: "beside:count" })).structured, "count 1");
		assert.match(String((await demo.data("run_tool", { tool_id: "once:count" })).structured), /^count/);
		await demo.stop();
		await until(() => [...pids("once"), ...pids("beside")].every((pid) => !alive(pid)));
	});

	test("cancellation reaches the program through its host", { timeout: 120_000 }, async () => {
		const demo = await testGateway({ openTransport, config: { servers: [spec("cancel")] } });
		await until(() => demo.gateway.upstreams.all[0]?.state.kind === "ready");
		const stop = new AbortController();
		const running = demo.error("run_tool", { tool_id: "cancel:slow" }, { signal: stop.signal });
		await until(() => journal("cancel").includes("slow"));
		stop.abort();
		assert.equal((await running).code, "cancelled");
		await until(() => journal("cancel").some((line) => line.startsWith("cancelled")));
		await demo.stop();
	});

	test("a program that cannot be started says so, and harms nobody", { timeout: 120_000 }, async () => {
		const demo = await testGateway({
			openTransport,
			config: {
				servers: [
					{ ...spec("missing"), command: join(folder, "no-such-program") },
					{ ...spec("noisy"), args: ["-e", "console.error('no key given'); process.exit(3)"] },
					spec("fine"),
				],
			},
			settings: { connectTimeout: 5_000 },
		});
		await until(() => demo.gateway.upstreams.all.every(({ state }) => state.kind !== "connecting"));
		const status = Object.fromEntries(demo.gateway.namespaces({ id: "x" }).map((entry) => [entry.namespace, entry]));
		assert.equal(status.fine?.state, "ready");
		assert.equal(status.missing?.state, "failed", JSON.stringify(status.missing));
		assert.equal(status.noisy?.state, "failed", JSON.stringify(status.noisy));
		assert.match(status.noisy?.reason ?? "", /no key given/);
		await demo.stop();
	});

	test("one that cannot run says what is wrong with it, not how its stack looked", { timeout: 120_000 }, async () => {
		const absent: StdioSpec = { ...spec("absent"), command: "no-such-command-at-all", args: [] };
		const broken: StdioSpec = { ...spec("broken"), args: [join(folder, "none.js")] };
		const homeless: StdioSpec = { ...spec("homeless"), cwd: join(folder, "none") };
		const nothing: StdioSpec = { ...spec("nothing"), command: folder, args: [] };
		const { demo, reasons } = await failing(absent, broken, homeless, nothing);
		assert.equal(reasons.get("absent"), "there is no command no-such-command-at-all");
		assert.equal(reasons.get("nothing"), `its command ${folder} is not a program that may be run`);
		assert.equal(reasons.get("homeless"), `there is no folder ${join(folder, "none")} to start it in`);
		assert.equal(
			reasons.get("broken"),
			`its process ends before it answers (exit code 1); it said: Error: Cannot find module '${join(folder, "none.js")}'`,
		);
		await demo.stop();
	});

	test("one that cannot run, or speaks another era, is told as such where its era is set", {
		timeout: 120_000,
	}, async () => {
		const modern = { protocol: "modern" } as const;
		const absent: StdioSpec = { ...spec("absent"), ...modern, command: "no-such-command-at-all", args: [] };
		const usage: StdioSpec = { ...spec("usage"), ...modern, args: ["-e", USAGE] };
		const older = `process.stdin.on("data", (line) => console.log(
			JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, error: { code: -32601, message: "Method not found" } })));`;
		const { demo, reasons } = await failing(absent, usage, { ...spec("older"), ...modern, args: ["-e", older] });
		assert.equal(reasons.get("absent"), "there is no command no-such-command-at-all");
		assert.equal(
			reasons.get("usage"),
			"its process ends before it answers (exit code 2); it said: usage: tool --key KEY",
		);
		assert.equal(reasons.get("older"), 'it does not speak MCP 2026-07-28, which "protocol": "modern" asks for');
		await demo.stop();
	});

	test("the cause is told though a long dump comes after it, and a refused handshake as one", {
		timeout: 120_000,
	}, async () => {
		const dump = `console.error("\\x1b[31mError: Could not locate the bindings file. Tried:\\x1b[39m");
			for (let at = 0; at < 60; at++) console.error("   '/lib/" + at + "/x.node',");
			process.exit(1);`;
		const refusing = `process.stdin.on("data", (line) => console.log(
			JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, error: { code: -32603, message: "fetch failed" } })));`;
		const { demo, reasons } = await failing(
			{ ...spec("dumping"), args: ["-e", dump] },
			{ ...spec("refusing"), args: ["-e", refusing] },
		);
		assert.equal(
			reasons.get("dumping"),
			"its process ends before it answers (exit code 1); it said: Error: Could not locate the bindings file. Tried:",
		);
		assert.equal(reasons.get("refusing"), "it refuses to be connected: fetch failed");
		await demo.stop();
	});

	test("what a server quotes of its own secrets is told to nobody", { timeout: 120_000 }, async () => {
		const secret = "sk-0123456789-abcdef";
		const quote = (expression: string) => [
			"-e",
			`console.error("fatal error: denied to " + ${expression}); process.exit(3)`,
		];
		const { demo, reasons } = await failing(
			{ ...spec("environment", { API_TOKEN: secret }), args: quote("process.env.API_TOKEN") },
			{ ...spec("flag"), args: [...quote("process.argv[2]"), "--", "--api-key", secret] },
			{ ...spec("joined"), args: [...quote("process.argv[1]"), "--", `--password=${secret}`] },
			{ ...spec("late", { API_TOKEN: secret }), args: quote('".".repeat(262) + process.env.API_TOKEN') },
		);
		for (const [server, reason] of reasons) assert.match(reason, /fatal error: denied to .*\[secret\]$/, server);
		const told = [
			...demo.log,
			...(await Promise.all(
				["list_namespaces", "local:health", "local:telemetry"].map(async (name) =>
					JSON.stringify(await (name.includes(":") ? demo.call("run_tool", { tool_id: name }) : demo.call(name))),
				),
			)),
		];
		assert(!told.join().includes(secret), told.join("\n"));
		await demo.stop();
	});

	test("one that prints what is no protocol, each time another length, is told of once", {
		timeout: 120_000,
	}, async (t) => {
		const script = `
			const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
			let calls = 0;
			process.stdin.on("data", (chunk) => {
				for (const { id, method, params } of String(chunk).trim().split("\\n").map((line) => JSON.parse(line))) {
					const info = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } };
					if (method === "initialize") say({ id, result: info });
					else if (method === "tools/list") say({ id, result: { tools: [{ name: "it", inputSchema: { type: "object" } }] } });
					else if (method === "tools/call") {
						console.log("debug ".repeat(++calls));
						say({ id, result: { content: [{ type: "text", text: "done" }] } });
					}
				}
			});`;
		const log: string[] = [];
		const demo = await testGateway({
			openTransport,
			config: { servers: [{ ...spec("chatty"), args: ["-e", script] }] },
			log: (line) => log.push(line),
			wait: false,
		});
		t.after(() => demo.stop());
		for (let at = 0; at < 3; at++) {
			assert.equal((await demo.data("run_tool", { tool_id: "chatty:it" })).structured, "done");
			// What comes within a second counts as one burst.
			await delay(1_200);
		}
		await until(() => log.length > 0);
		assert.deepEqual(
			log.map((line) => line.replaceAll(/\d+/g, "n")),
			["chatty: protocol.garbage_output: n lines (n bytes) on stdout that are no protocol message"],
		);
	});

	test("one that fails the same way again and again says so once, in the words of the cause", {
		timeout: 120_000,
	}, async () => {
		const nowhere = {
			kind: "http",
			name: "nowhere",
			namespace: "nowhere",
			url: "http://127.0.0.1:9/mcp",
			headers: {},
		} as const;
		const log: string[] = [];
		const demo = await testGateway({
			openTransport,
			config: { servers: [{ ...nowhere, protocol: "auto" }] },
			log: (line) => log.push(line),
		});
		const [upstream] = demo.gateway.upstreams.all;
		await until(() => Number(upstream?.health().generation) >= 4);
		assert.equal(upstream?.health().restartCount, 0, "what never ran has not restarted");
		assert.deepEqual(log, ["nowhere: connect ECONNREFUSED 127.0.0.1:9"]);
		await demo.stop();
	});

	test("one that starts and ends again and again says with what last words, in the log once and in its state", {
		timeout: 120_000,
	}, async () => {
		const script = `
			require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
				const { id, method, params } = JSON.parse(line);
				const tools = [{ name: "boom", inputSchema: { type: "object" } }];
				const { protocolVersion } = params ?? {};
				const result = method === "initialize"
					? { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } }
					: { tools };
				if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
				if (method === "tools/list") setTimeout(() => {
					console.error("served 3 calls");
					console.error("panic: denied to " + process.env.API_TOKEN);
					process.exit(3);
				}, 30);
			});`;
		const log: string[] = [];
		const crashing = { ...spec("crashing", { API_TOKEN: "sk-0123456789-abcdef" }), args: ["-e", script] };
		const ends = new Set<string>();
		const watch = {
			host: (_: string, host: Host) => void host.events.on("fault", (_, stderr) => ends.add(stderr.join("; "))),
		};
		const demo = await testGateway({
			openTransport,
			config: { servers: [crashing] },
			log: (line) => log.push(line),
			watch,
		});
		const [upstream] = demo.gateway.upstreams.all;
		await until(() => upstream?.state.kind === "failed");
		const words = "it said: panic: denied to [secret]";
		assert.deepEqual([...ends], ["served 3 calls; panic: denied to [secret]"]);
		const state = upstream?.state;
		assert.equal(
			state?.kind === "failed" && state.reason,
			`it ends again and again, and is tried less often now; ${words}`,
		);
		assert.deepEqual(log, [`crashing: process.worker_crashed: exit code 3; ${words}`]);
		await demo.stop();
	});

	test("one that fails in two ways by turns says each of them once", { timeout: 120_000 }, async (t) => {
		const script = `
			const { mkdirSync, rmdirSync } = require("node:fs");
			const isOdd = (() => { try { mkdirSync(process.argv[1]); return true; } catch { rmdirSync(process.argv[1]); } })();
			require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
				const { id, method, params } = JSON.parse(line);
				const { protocolVersion } = params ?? {};
				const result = method === "initialize"
					? { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } }
					: { tools: [] };
				if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
				if (method === "tools/list") setTimeout(() => {
					console.error(isOdd ? "panic: no disk" : "panic: no network");
					process.exit(3);
				}, 30);
			});`;
		const log: string[] = [];
		const turning = { ...spec("turning"), args: ["-e", script, join(folder, "odd")] };
		const demo = await testGateway({ openTransport, config: { servers: [turning] }, log: (line) => log.push(line) });
		t.after(() => demo.stop());
		const [upstream] = demo.gateway.upstreams.all;
		await until(() => upstream?.state.kind === "failed");
		assert.deepEqual(log, [
			"turning: process.worker_crashed: exit code 3; it said: panic: no disk",
			"turning: process.worker_crashed: exit code 3; it said: panic: no network",
		]);
	});

	test("a new release that ends before it serves is logged as such, with its last words, and not as a crash", {
		timeout: 120_000,
	}, async (t) => {
		const log: string[] = [];
		const demo = await testGateway({
			openTransport,
			config: { servers: [spec("rolled")] },
			log: (line) => log.push(line),
		});
		t.after(() => demo.stop());
		const [upstream] = demo.gateway.upstreams.all;
		await until(() => upstream?.state.kind === "ready");
		const args = ["-e", 'console.error("panic: cannot start"); process.exit(3)'];
		assert.equal((await upstream?.host?.rollout({ command: process.execPath, args }))?.ok, false);
		assert.equal(log.length, 1, log.join("\n"));
		assert.match(log[0] ?? "", /^rolled: rollout\.green_worker_\w+: .*\(exit code 3\); it said: panic: cannot start$/);
	});

	test("one whose changed entry cannot be used goes on with its old one and says so, until the entry is right", {
		timeout: 120_000,
	}, async (t) => {
		const configFile = join(folder, "changed.json");
		const { command, args, env } = spec("kept");
		const written = (entry: object) => {
			writeFileSync(configFile, JSON.stringify({ mcpServers: { kept: entry } }));
			return loadConfig({ flags: {}, configFile, environment: {} });
		};
		const demo = await testGateway({ openTransport, config: written({ command, args, env }) });
		t.after(() => demo.stop());
		const shown = async () => ({
			details: (await demo.data("list_namespaces")).details,
			connection: demo.gateway.upstreams.all[0]?.health().connection,
		});
		const before = await shown();
		for (const [entry, reason] of [
			[{ command, args: "oops" }, /still uses its old entry; the new one fails: mcpServers\.kept\.args: expected/],
			[{ command, args: ["-e", "process.exit(4)"] }, /still uses its old entry; the new one fails: .*exit code 4/],
		] as const) {
			await demo.gateway.apply(written(entry));
			await until(async () => reason.test(JSON.stringify((await shown()).connection)));
			const { details } = await shown();
			assert.match(JSON.stringify(details), reason);
			assert.match(JSON.stringify(details), /"namespace":"kept","state":"ready"/);
			assert.match(texts(await demo.call("list_namespaces")), reason);
			await demo.data("run_tool", { tool_id: "kept:echo", args: { text: "still here" } });
		}
		await demo.gateway.apply(written({ command, args, env }));
		assert.deepEqual(await shown(), before);
		assert.equal(pids("kept").length, 1);
	});
});

test("a server with a limit of its own answers after the time in which the others must", {
	timeout: 120_000,
}, async (t) => {
	const configFile = join(folder, "limits.json");
	const { command, args, env } = spec("limits");
	const entry = { command, args, env };
	const mcpServers = { patient: { ...entry, execution_timeout: "10m" }, other: entry };
	writeFileSync(configFile, JSON.stringify({ mcpServers, execution: { timeout: "100ms" } }));
	const { servers, settings } = loadConfig({ flags: {}, configFile, environment: {} });
	const demo = await testGateway({ openTransport, settings, config: { servers } });
	t.after(() => demo.stop());
	await until(() => demo.gateway.upstreams.all.every(({ state }) => state.kind === "ready"));
	const slow = (server: string, ms: number) => ({ tool_id: `${server}:slow`, args: { ms } });
	assert.equal((await demo.data("run_tool", slow("patient", 500))).structured, "late");
	const chain = await demo.data("run_chain", { steps: [slow("patient", 500)] });
	assert.equal(chain.final, "late");
	const error = await demo.error("run_tool", slow("other", 50_000));
	assert.equal(error.code, "timeout");
	assert.match(String(error.message), /within 100 ms, .*execution_timeout of its server/);
	const hurried = await demo.error("run_tool", { ...slow("patient", 50_000), timeout_ms: 50 });
	assert.match(String(hurried.message), /within 50 ms/);
});

test("a call that reports progress goes on past the limit for silence, also for a caller that asks for none", {
	timeout: 120_000,
}, async (t) => {
	const script = `require("node:readline").createInterface({ input: process.stdin }).on("line", async (line) => {
		const { id, method, params } = JSON.parse(line);
		const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
		if (method === "initialize") send({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "r", version: "1" } } });
		if (method === "tools/list") send({ id, result: { tools: [{ name: "long", inputSchema: { type: "object" } }] } });
		if (method !== "tools/call") return;
		const { _meta: { progressToken } = {}, arguments: { reports } } = params;
		for (let progress = 1; progress <= reports && progressToken !== undefined; progress++) {
			await new Promise((resolve) => setTimeout(resolve, 250));
			send({ method: "notifications/progress", params: { progressToken, progress } });
		}
		if (progressToken !== undefined && reports < 100) send({ id, result: { content: [{ type: "text", text: "done" }] } });
	});`;
	const entry = { ...spec("reporting"), args: ["-e", script], executionTotalTimeoutMs: 4_000 };
	const settings = { timeout: 1_000, totalTimeout: 60_000 };
	const demo = await testGateway({ openTransport, settings, config: { servers: [entry] } });
	t.after(() => demo.stop());
	const run = (reports: number) => ({ tool_id: "reporting:long", args: { reports } });
	assert.equal((await demo.data("run_tool", run(8))).structured, "done", "two seconds in all");
	const endless = await demo.error("run_tool", run(1_000));
	assert.match(String(endless.message), /within 4000 ms, .*or execution_total_timeout of its server, gives it longer/);
	assert.equal(endless.code, "timeout");
	const chain = await demo.data("run_chain", { steps: [run(8)] });
	assert.equal(chain.final, "done");
});

test("a program sees its own environment and not the gateway's secrets", { timeout: 120_000 }, async (t) => {
	process.env.METATOOLS_TEST_SECRET = "do not tell";
	t.after(() => delete process.env.METATOOLS_TEST_SECRET);
	const script =
		"process.stdin.on('data', () => {}); require('fs').writeFileSync(process.argv[1], JSON.stringify(process.env)); setInterval(() => {}, 1e6)";
	const file = join(folder, "environment.json");
	const demo = await testGateway({ servers: [], openTransport });
	void demo.gateway.upstreams.apply([{ ...spec("env", { GIVEN: "yes" }), args: ["-e", script, file] }]);
	await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("}"));
	const seen = JSON.parse(readFileSync(file, "utf8"));
	assert.equal(seen.GIVEN, "yes");
	assert.equal(seen.METATOOLS_TEST_SECRET, undefined);
	assert.equal(seen.METATOOLS_DEPTH, "1");
	assert.equal(seen.PATH, process.env.PATH);
	await demo.stop();
});

/** Without an end of line, as many a program prints it. */
const USAGE = 'process.stderr.write("usage: tool --key KEY"); process.exitCode = 2;';

/** Starts servers that cannot run, and gives what was first said of each. */
async function failing(...servers: StdioSpec[]): Promise<{ demo: TestGateway; reasons: Map<string, string> }> {
	const reasons = new Map<string, string>();
	const demo = await testGateway({
		openTransport,
		config: { servers },
		watch: { state: (server, state) => "reason" in state && !reasons.has(server) && reasons.set(server, state.reason) },
		wait: false,
	});
	await until(() => reasons.size === servers.length);
	return { demo, reasons };
}
