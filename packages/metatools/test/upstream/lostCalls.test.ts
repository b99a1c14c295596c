import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { isObject } from "../../src/contract/json.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { type FaultName, type FaultyRemote, faultyRemote } from "../fixtures/faultyRemote.ts";
import { type TestGateway, testGateway, texts } from "../fixtures/gateway.ts";

const options = { timeout: 120_000 };

async function behind(t: TestContext): Promise<{ readonly remote: FaultyRemote; readonly demo: TestGateway }> {
	const remote = await faultyRemote();
	const demo = await testGateway({ openTransport, config: { servers: [remote.spec] } });
	t.after(async () => {
		await demo.stop();
		await remote.close();
	});
	return { remote, demo };
}

const LOST: readonly FaultName[] = ["http500", "http502", "cut", "half", "empty_stream"];

for (const fault of LOST)
	test(
		`a call whose answer is lost (${fault}) fails alone: those beside it are answered, each after one run`,
		options,
		async (t) => {
			const { remote, demo } = await behind(t);
			const beside = ["slow", "slow", "slow_safely"];
			const answers = beside.map((name) => demo.call("run_tool", { tool_id: `remote:${name}` }));
			await until(() => remote.runs.length === beside.length);
			const { message, details } = await demo.error("run_tool", { tool_id: `remote:${fault}` });
			assert.match(
				String(message),
				/^The connection to remote was lost during the call \(.*whether it took effect is unknown/,
			);
			assert.deepEqual(details, {
				server: "remote",
				fault: { class: "ambiguous_outcome", code: "outcome_unknown" },
				outcome: "unknown",
			});
			const safely = await demo.error("run_tool", { tool_id: `remote:${fault}_safely` });
			assert.match(String(safely.message), /it was repeated in vain/);
			remote.release();
			assert.deepEqual(
				(await Promise.all(answers)).map(texts),
				beside.map((name) => `${name} ran`),
			);
			assert.deepEqual(remote.runs, [...beside, fault, ...Array(3).fill(`${fault}_safely`)]);
			assert.equal(remote.connections, 1);
			assert.equal(texts(await demo.call("run_tool", { tool_id: "remote:fine" })), "fine ran");
		},
	);

test("however often its calls make a server forget the session, it is connected again at once", options, async (t) => {
	const { demo } = await behind(t);
	const [upstream] = demo.gateway.upstreams.all;
	for (let time = 0; time < 4; time++) {
		await demo.error("run_tool", { tool_id: "remote:forgets" });
		await until(() => upstream?.state.kind === "failed");
		const { state } = upstream ?? {};
		assert(state?.kind === "failed" && state.retryAt !== undefined);
		const wait = Date.parse(state.retryAt) - Date.parse(state.since);
		assert(wait < 500, `${wait} ms`);
		await until(() => upstream?.state.kind === "ready");
	}
});

test(
	"a server that answers nothing any more is found out after a lost call, and used again when it answers",
	options,
	async (t) => {
		const { remote, demo } = await behind(t);
		const [upstream] = demo.gateway.upstreams.all;
		remote.isDown = true;
		await demo.error("run_tool", { tool_id: "remote:fine" });
		await until(() => upstream?.state.kind === "failed");
		remote.isDown = false;
		await until(() => upstream?.state.kind === "ready");
		assert.equal(texts(await demo.call("run_tool", { tool_id: "remote:fine" })), "fine ran");
	},
);

test("a call to a server that has gone away fails once that is known, and was never made", options, async (t) => {
	const { remote, demo } = await behind(t);
	await remote.close();
	// The sockets that are kept have to hear of it: what is sent over them may have arrived.
	await delay(100);
	for (const time of ["first", "second"]) {
		const { code, message, retryable, details } = await demo.error("run_tool", {
			tool_id: "remote:fine",
			timeout_ms: 60_000,
		});
		assert.deepEqual([code, retryable], ["no_backends", true], `${time}: ${String(message)}`);
		assert.match(String(message), /^The server remote is not available: .*ECONNREFUSED/);
		assert(isObject(details) && details.outcome === undefined);
	}
	assert.deepEqual(remote.runs, []);
});

const UNREADABLE: readonly FaultName[] = ["page", "other_id", "half_json", "bad_gzip", "bad_encoding", "accepted"];

for (const fault of UNREADABLE)
	test(
		`a call whose answer cannot be read (${fault}) is in doubt, unless its tool declares that harmless`,
		options,
		async (t) => {
			const { remote, demo } = await behind(t);
			const { message, retryable, details } = await demo.error("run_tool", { tool_id: `remote:${fault}` });
			assert.match(
				String(message),
				/^The answer of remote cannot be read \(.*\); it may or may not have taken effect, so check before repeating it\.$/,
			);
			assert.equal(retryable, false);
			assert.deepEqual(details, {
				server: "remote",
				fault: { class: "ambiguous_outcome", code: "outcome_unknown" },
				outcome: "unknown",
			});
			const safely = await demo.error("run_tool", { tool_id: `remote:${fault}_safely` });
			assert.match(String(safely.message), /^The answer of remote cannot be read \(.*\)\.$/);
			assert.deepEqual([safely.retryable, safely.details], [true, { server: "remote" }]);
			assert.deepEqual(remote.runs, [fault, `${fault}_safely`]);
			assert.equal(remote.connections, 1);
		},
	);

test("a call that its server refused with HTTP 404 is neither in doubt nor repeated", options, async (t) => {
	const { remote, demo } = await behind(t);
	for (const name of ["http404", "http404_safely"]) {
		const { message, details } = await demo.error("run_tool", { tool_id: `remote:${name}` });
		assert.match(String(message), /^The server remote failed: POST failed with HTTP 404/);
		assert.deepEqual(details, { server: "remote" });
	}
	assert.deepEqual(remote.runs, ["http404", "http404_safely"]);
	assert.equal(remote.connections, 1);
});

test(
	"a call that its server refused as one of too many may be made again, when the server says",
	options,
	async (t) => {
		const { remote, demo } = await behind(t);
		const busy = { code: "execution_failed", retryable: true };
		for (const name of ["http429", "http429_safely"]) {
			const { code, retryable, message, details } = await demo.error("run_tool", { tool_id: `remote:${name}` });
			assert.deepEqual({ code, retryable, details }, { ...busy, details: { server: "remote", retryAfterMs: 2_000 } });
			assert.match(String(message), /^The server remote asks to be called again in 2 s: POST failed with HTTP 429/);
		}
		assert.deepEqual(remote.runs, ["http429", "http429_safely"]);
		assert.equal(remote.connections, 1);
	},
);

test("a call in a session that its server has forgotten is made in a new one, and runs once", options, async (t) => {
	const { remote, demo } = await behind(t);
	remote.sessions.clear();
	assert.equal(texts(await demo.call("run_tool", { tool_id: "remote:fine" })), "fine ran");
	assert.deepEqual([remote.runs, remote.connections], [["fine"], 2]);
});

test("a call whose new session is forgotten too is not made a third time", options, async (t) => {
	const { remote, demo } = await behind(t);
	const { message } = await demo.error("run_tool", { tool_id: "remote:forgets_safely" });
	assert.match(String(message), /it was repeated in vain/);
	assert.deepEqual(remote.runs, ["forgets_safely", "forgets_safely"]);
});

test("a server that answered a call, if not well, is not said to hang when the time is up", options, async (t) => {
	const { remote, demo } = await behind(t);
	const asked = { progressToken: "1" };
	const { message } = await demo.error("run_tool", { tool_id: "remote:forgets", timeout_ms: 300 }, asked);
	assert(remote.runs.length > 0);
	assert.doesNotMatch(String(message), /may hang/);
});
