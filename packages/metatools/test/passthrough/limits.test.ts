import assert from "node:assert/strict";
import { test } from "node:test";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { until } from "../../../../e2e/until.ts";
import { Channel } from "../../src/passthrough/links/channel.ts";
import { Link } from "../../src/passthrough/links/link.ts";
import { OURSELVES } from "../../src/passthrough/links/sharedLink.ts";
import { SuspendedCall, SuspendedCalls } from "../../src/run/suspendedCalls.ts";
import { createMasker } from "../../src/upstream/secrets/maskSecrets.ts";
import { testContext } from "../fixtures/gateway.ts";

const SPEC = {
	kind: "stdio",
	name: "s",
	namespace: "s",
	protocol: "auto",
	command: "none",
	args: [],
	env: {},
} as const;
const SERVER = { masker: createMasker(SPEC), login: "metatools login s" };
const QUIET = { onRequest: () => new Promise<never>(() => {}), onNotification: () => {} };

test("a server that never answers its greeting is let go, in either era", async () => {
	for (const greet of [Link.legacy, Link.modern]) {
		const [near, far] = InMemoryTransport.createLinkedPair();
		let closed = false;
		far.onclose = () => {
			closed = true;
		};
		await far.start();
		await assert.rejects(greet.call(Link, near, SERVER, OURSELVES, QUIET, 30), { name: "TimeoutError" });
		assert.ok(closed);
	}
});

test("a server cannot ask without end, nor twice under one id", async () => {
	const [near, far] = InMemoryTransport.createLinkedPair();
	const refused: unknown[] = [];
	far.onmessage = (message: JSONRPCMessage) => {
		if ("error" in message) refused.push(message.id);
	};
	await far.start();
	let asked = 0;
	const channel = new Channel(near, SERVER, {
		...QUIET,
		onRequest: () => {
			asked++;
			return new Promise(() => {});
		},
	});
	await channel.start();
	for (const id of [1, 1, ...Array.from({ length: 70 }, (_, n) => n + 2)])
		await far.send({ jsonrpc: "2.0", id, method: "roots/list" });
	await until(() => refused.length === 8);
	assert.equal(asked, 64);
	assert.deepEqual(refused, [1, 65, 66, 67, 68, 69, 70, 71]);
	await channel.close();
});

test("calls one caller left waiting end the oldest of that caller, never another's", () => {
	const calls = new SuspendedCalls();
	const callOf = (id: string) =>
		new SuspendedCall("call", { context: { ...testContext([]), principal: { id, scopes: [] } }, params: {} });
	const bobs = callOf("bob");
	calls.keep(bobs);
	const alices = Array.from({ length: 17 }, () => callOf("alice"));
	for (const call of alices) calls.keep(call);
	assert.deepEqual(
		alices.map((call) => call.signal.aborted),
		[true, ...Array(16).fill(false)],
	);
	assert.equal(calls.take(bobs.state, "bob", "call"), bobs);
	assert.throws(() => calls.take(alices[0]?.state, "alice", "call"), /expected the state of a call that waits/);
	assert.throws(() => calls.take(alices[1]?.state, "bob", "call"), /expected the state of a call that waits/);
	calls.end();
});
