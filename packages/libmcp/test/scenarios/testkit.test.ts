// The testkit as another server's author uses it: one call, on servers nobody here wrote.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { verifies } from "../../../../e2e/verifies.ts";
import { EffectLog } from "../../src/testing/effectLog.ts";
import { fixtureCommand } from "../../src/testing/fixtureConfig.ts";
import { runScenarios, SCENARIOS, type ScenarioReport } from "../../src/testing/scenarios.ts";
import { testSession } from "../../src/testing/testSession.ts";
import { temporary } from "./fixtureSession.ts";

const MODULES = fileURLToPath(new URL("../../../../node_modules/@modelcontextprotocol", import.meta.url));

// A few at once, since each mostly waits for a server that starts again.
void describe("servers under the testkit", { concurrency: 3 }, () => {
	verifies(
		["002-scope-hardening-test-support", "002-nice-to-haves-optional-patterns"],
		"the public filesystem server passes every scenario, unchanged and without any optional pattern",
		async (t) => {
			const folder = temporary(t);
			writeFileSync(join(folder, "a.txt"), "hello");
			const reports = await runScenarios({
				command: process.execPath,
				args: [join(MODULES, "server-filesystem/dist/index.js"), folder],
				safeCall: { tool: "read_text_file", arguments: { path: join(folder, "a.txt") } },
				kills: 3,
			});
			assert.deepEqual(
				reports.filter(({ passed }) => !passed),
				[],
			);
			assert.equal(reports.length, 7);
		},
		{ timeout: 120_000 },
	);

	verifies(
		["002-scope-hardening-test-support", "002-replay-never-replay"],
		"a server with effects to count is held to at most one of each",
		async (t) => {
			const log = new EffectLog(join(temporary(t), "effects.jsonl"));
			const reports = await runScenarios({
				...fixtureCommand({ effects: log.path }),
				safeCall: { tool: "read", arguments: { key: "r" } },
				effect: {
					call: (key) => ({ tool: "pay", arguments: { key, ms: 20 } }),
					count: (key) => log.effects("pay", key),
				},
				kills: 3,
			});
			assert.deepEqual(
				reports.filter(({ passed }) => !passed),
				[],
			);
			assert.equal(reports.length, 8);
			// Of a hundred, three kills can have cost no more than the twenty in flight each.
			assert.ok(log.lines().filter(({ what, tool }) => what === "effect" && tool === "pay").length >= 40);
		},
		{ timeout: 120_000 },
	);

	test("a server that is slow to start is not failed for it when its stopped worker is replaced", {
		timeout: 120_000,
	}, async (t) => {
		const { command, args } = fixtureCommand({ effects: join(temporary(t), "effects.jsonl") });
		const safeCall = { tool: "read", arguments: { key: "r" } };
		const slow = { command: "sh", args: ["-c", 'sleep 3; exec "$0" "$@"', command, ...args], safeCall };
		const scenario = SCENARIOS.find(({ name }) => name.includes("is stopped")) ?? assert.fail();
		const session = await testSession({ ...scenario.options, ...slow });
		await scenario.run(session, slow).finally(() => session.close());
	});

	test("a server that cannot pass is told where it fails", { timeout: 120_000 }, async (t) => {
		const folder = join(temporary(t), "deep");
		mkdirSync(folder);
		const script = join(folder, "server.mjs");
		writeFileSync(script, SLOPPY);
		assert.ok(existsSync(script));
		const reports = await runScenarios({
			command: process.execPath,
			args: [script],
			safeCall: { tool: "read" },
		});
		assert.deepEqual(
			reports.map(({ passed, scenario, detail }) => [passed, scenario, detail]),
			[[false, "the server starts and answers its safe call", "read: cannot read"]],
		);
	});

	test("a server that does not start is told why, at once and once", { timeout: 120_000 }, async () => {
		const heard: ScenarioReport[] = [];
		const safeCall = { tool: "read" };
		const onReport = (report: ScenarioReport) => void heard.push(report);
		const [missing] = await runScenarios({ command: "no-such-command", safeCall, onReport });
		const [broken] = await runScenarios({
			command: process.execPath,
			args: ["-e", "throw new Error('no licence')"],
			safeCall,
			onReport,
		});
		assert.match(missing?.detail ?? "", /last fault process\.command_not_found: .*no-such-command/);
		assert.match(
			broken?.detail ?? "",
			/last fault process\.worker_crashed: exit code 1; stderr:\n(?:.*\n)*Error: no licence/,
		);
		assert.deepEqual(heard, [missing, broken]);
	});
});

// Answers its handshake and its list, and every call with an error.
const SLOPPY = `
import readline from "node:readline";
readline.createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method } = JSON.parse(line);
	if (id === undefined) return;
	const result = method === "initialize"
		? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "sloppy", version: "1" } }
		: method === "tools/list" ? { tools: [] } : undefined;
	const answer = result === undefined ? { error: { code: -32603, message: "cannot read" } } : { result };
	process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
});
`;
