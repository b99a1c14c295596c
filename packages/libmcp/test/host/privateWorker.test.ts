import assert from "node:assert/strict";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { Bench, faultOf, textOf } from "./harness.ts";

const privateWorker = {
	methods: { plain: "replay_safe", "tools/call": "at_most_once" },
	otherMethods: "at_most_once",
} as const;

verifies(
	["002-topologies-private-rpc-worker", "002-replay-explicit-contract"],
	"a private worker is given plain methods by the contracts of its table, with no handshake",
	async (t) => {
		const bench = new Bench(t, { privateWorker });
		const slow = bench.request("plain", { ms: 300 });
		const once = bench.request("tools/call", { name: "pay", arguments: { ms: 300 } });
		await until(() => bench.effects("pay").length === 1, "both are in flight");
		bench.killWorker();
		assert.match(textOf(await slow), /^\d+$/);
		assert.equal(faultOf(await once).class, "ambiguous_outcome");
		assert.equal(bench.effects("plain").length, 2);
	},
);

verifies(
	"002-topologies-private-rpc-worker",
	"in sequence mode answers keep the order of arrival, refusals among them, and ping does not wait",
	async (t) => {
		const bench = new Bench(t, { privateWorker, sequential: true, maxFrameBytes: 10_000 });
		const first = bench.request("plain", { ms: 200 }, "a");
		bench.write("{not json");
		const second = bench.request("plain", {}, "b");
		const big = bench.request("plain", { key: "x".repeat(20_000) }, "big");
		const third = bench.request("plain", {}, "c");
		await bench.request("ping", {}, "ping");
		await Promise.all([first, second, big, third]);
		assert.deepEqual(
			bench.received.map((one) => one.id),
			["ping", "a", null, "b", "big", "c"],
		);
	},
);

for (const [topology, options] of [
	["a proxied server", {}],
	["a private worker", { privateWorker: { ...privateWorker, tools: { read: "replay_safe" } } }],
] as const) {
	verifies("002-topologies-same-invariants", `the invariants hold for ${topology}`, async (t) => {
		const bench = new Bench(t, options);
		await bench.initialize();
		const read = bench.tool("read", { ms: 200 });
		const pay = bench.tool("pay", { ms: 200 });
		await until(() => bench.effects("pay").length === 1 && bench.effects("read").length === 1, "both run");
		const worker = bench.host.state().workerPid;
		bench.killWorker();
		const health = await bench.tool("holdfast_health");
		assert.match(textOf(health), /generation/);
		assert.match(textOf(await read), /^\d+$/);
		assert.equal(faultOf(await pay).class, "ambiguous_outcome");
		assert.equal(bench.effects("pay").length, 1);
		const ids = bench.received.map((one) => JSON.stringify(one.id));
		assert.equal(new Set(ids).size, ids.length);
		const next = bench.host.state().workerPid;
		await bench.close();
		for (const pid of [worker, next]) assert.throws(() => process.kill(pid ?? Number.NaN, 0), { code: "ESRCH" });
	});
}
