// What the model is told after a worker has taken its memory with it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { Bench, FIXTURE_COMMAND, type Message, textOf } from "./harness.ts";

const NOTE =
	"Note from the host: the server ended (signal SIGKILL) after an earlier call and was started again. " +
	"What it kept in memory, such as open pages, connections or a working directory, is gone and has to be set up again.";

const texts = (message: Message) => message.result?.content?.map(({ text }) => text);

async function killAndWait(bench: Bench): Promise<void> {
	const { generation } = bench.host.state();
	bench.killWorker();
	await until(() => bench.host.state().generation > generation && bench.host.state().ready, "the next worker");
}

void describe("lost memory", { concurrency: 3 }, () => {
	verifies(
		"002-lost-memory-told",
		"the first answer after a server with a memory was replaced says so, once",
		async (t) => {
			const bench = await Bench.initialized(t);
			await bench.tool("pay");
			await killAndWait(bench);
			const first = await bench.tool("read", { do: "memory" });
			assert.deepEqual(texts(first), ['[["level","none"]]', NOTE]);
			assert.deepEqual(texts(await bench.tool("read", { do: "memory" })), ['[["level","none"]]']);
		},
	);

	verifies(
		"002-lost-memory-told",
		"an answer that reports a failure says so too, and keeps all its other bytes",
		async (t) => {
			const bench = await Bench.initialized(t);
			await bench.tool("pay");
			await killAndWait(bench);
			await bench.request("tools/call", { name: "read", arguments: { do: "complain" } }, "x");
			const note = JSON.stringify({ type: "text", text: NOTE });
			assert.equal(bench.raw.at(-1), `{"jsonrpc":"2.0","id":"x","result":{"content":[${note}],"isError":true}}`);
		},
	);

	verifies("002-lost-memory-told", "structured content stays byte for byte", async (t) => {
		const bench = await Bench.initialized(t);
		await bench.tool("pay");
		await killAndWait(bench);
		await bench.request("tools/call", { name: "read", arguments: { do: "structure" } }, "x");
		assert.ok(bench.raw.at(-1)?.includes('"structuredContent":{"content":[],"n":1.0}'), bench.raw.at(-1));
		assert.deepEqual(texts(bench.answers("x")[0] as Message), ["structured", NOTE]);
	});

	test("an answer without content, such as a task's or an error, leaves the note to the next one", async (t) => {
		const bench = await Bench.initialized(t);
		await bench.tool("pay");
		await killAndWait(bench);
		const task = await bench.request("tools/call", { name: "read", arguments: {}, task: { ttl: 1_000 } });
		assert.equal(task.result?.content, undefined);
		assert.equal((await bench.tool("read", { do: "fail" })).error?.message, "refused by the server");
		assert.equal(texts(await bench.tool("read"))?.[1], NOTE);
	});

	test("nothing is said where nothing can be lost: after calls that may run again, or whose state is journaled", async (t) => {
		const bench = await Bench.initialized(t);
		await bench.tool("read");
		await bench.tool("put", { key: "a" });
		await bench.tool("bind", { key: "a", n: 1 });
		await bench.tool("pay", { do: "complain" });
		const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
		await bench.request("tools/call", { name: "pay", arguments: { do: "question" }, _meta });
		await killAndWait(bench);
		assert.equal(texts(await bench.tool("read"))?.length, 1);
	});

	test("a replacement by a rollout is not told, nor the end of a release that never served", async (t) => {
		const bench = await Bench.initialized(t);
		await bench.tool("pay");
		await bench.rollOut(FIXTURE_COMMAND);
		assert.equal((await bench.host.rollout({ ...FIXTURE_COMMAND, env: { MODE: "die-at-start" } })).ok, false);
		assert.equal(texts(await bench.tool("read"))?.length, 1);
	});

	test("the call that was in flight and runs again is told with its own answer", async (t) => {
		const bench = await Bench.initialized(t);
		await bench.tool("pay");
		const reading = bench.tool("read", { key: "long", ms: 1_500 });
		await until(() => bench.effects("read").length === 1, "the call is in flight");
		bench.killWorker();
		const answer = await reading;
		assert.match(textOf(answer), /^\d+$/);
		assert.equal(texts(answer)?.[1], NOTE);
	});
});
