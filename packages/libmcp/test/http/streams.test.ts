import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { call, events, openSession, post, type ServerEvent, serve } from "./serving.ts";

/** A standing stream, and everything it brought so far. */
async function listen(url: string, session: Record<string, string>) {
	const response = await fetch(url, { headers: { ...session, accept: "text/event-stream" } });
	assert.equal(response.status, 200);
	const seen = { text: "" };
	const over = (async () => {
		for await (const chunk of response.body ?? []) seen.text += new TextDecoder().decode(chunk);
	})().catch(() => {});
	return { over, events: (): readonly ServerEvent[] => events(seen.text) };
}

verifies(
	["mcp-http-one-stream", "mcp-http-event-ids"],
	"each message goes out once, on one stream, under an id no other event of the session has",
	async () => {
		const { url, endpoint } = await serve();
		const session = await openSession(url);
		const other = await openSession(url);
		const first = await listen(url, session);
		endpoint.notify("notifications/tools/list_changed", { n: 1 });
		const second = await listen(url, session);
		await first.over;
		endpoint.notify("notifications/tools/list_changed", { n: 2 });
		const elsewhere = await listen(url, other);
		const calls = await Promise.all(
			[1, 2, 3].map((id) => post(url, call(id, "steps", "", { _meta: { progressToken: id } }), session)),
		);
		const deadline = performance.now() + 10_000;
		while (!second.events().some(({ data }) => data.includes('"n":2'))) {
			assert.ok(performance.now() < deadline, "the second stream stayed silent");
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		const all = [first.events(), second.events(), ...calls.map(({ body }) => events(body))].flat();
		const messages = all.map(({ data }) => data).filter((data) => data !== "");
		assert.equal(new Set(messages).size, messages.length, "nothing came twice");
		assert.equal(messages.filter((data) => data.includes('"n":1')).length, 1);
		for (const [index, { body }] of calls.entries()) {
			const tokens = [...body.matchAll(/"progressToken":(\d+)/g)].map(([, token]) => Number(token));
			assert.deepEqual(new Set(tokens), new Set([index + 1]), "progress stays with its own call");
		}
		const ids = all.map(({ id }) => id ?? "").filter((id) => id !== "");
		assert.ok(ids.length >= messages.length - 1);
		assert.equal(new Set(ids).size, ids.length);
		assert.ok(!elsewhere.events().some(({ data }) => data.includes("progress")), "nor does it reach another session");
	},
	{ timeout: 120_000 },
);

test("a client that listens for the first time gets what was sent since its handshake, and later none of it again", async () => {
	const { url, endpoint } = await serve();
	const session = await openSession(url);
	endpoint.notify("notifications/tools/list_changed", { n: 1 });
	endpoint.notify("notifications/tools/list_changed", { n: 2 });
	const first = await listen(url, session);
	endpoint.notify("notifications/tools/list_changed", { n: 3 });
	await until(() => first.events().some(({ data }) => data.includes('"n":3')), "the third notification");
	const numbers = first.events().flatMap(({ data }) => (data === "" ? [] : [JSON.parse(data).params.n]));
	assert.deepEqual(numbers, [1, 2, 3]);
	const second = await listen(url, session);
	endpoint.notify("notifications/tools/list_changed", { n: 4 });
	await until(() => second.events().some(({ data }) => data.includes('"n":4')), "the fourth notification");
	assert.ok(!second.events().some(({ data }) => data.includes('"n":2')));
});

test("what broke off is resumed once it is over too, under its own ids, and nobody else's stream ends for it", async () => {
	const { url, endpoint, seen } = await serve();
	const session = await openSession(url);
	const standing = await listen(url, session);
	const abort = new AbortController();
	const broken = await fetch(url, {
		method: "POST",
		headers: { ...session, "content-type": "application/json", accept: "text/event-stream" },
		body: JSON.stringify(call(2, "hold", "streaming")),
		signal: abort.signal,
	});
	const { value } = (await broken.body?.getReader().read()) ?? {};
	const [first] = events(new TextDecoder().decode(value).replaceAll("data: \n", ""));
	abort.abort();
	// In the same turn: the answer is sent before anybody can know that the connection is gone.
	seen.release();
	const stream = (first?.id ?? "").split("-")[0];
	for (const attempt of [1, 2]) {
		const resumed = await fetch(url, {
			headers: { ...session, accept: "text/event-stream", "last-event-id": first?.id ?? "" },
		});
		const rest = events(await resumed.text());
		assert.match(rest.at(-1)?.data ?? "", /"id":2,/, `attempt ${attempt}`);
		for (const { id } of rest) assert.ok(id?.startsWith(`${stream}-`), `${id} belongs to stream ${stream}`);
	}
	endpoint.notify("notifications/tools/list_changed");
	await until(() => standing.events().some(({ data }) => data.includes("list_changed")));
});

test("an answer larger than any backlog reaches a client that reads it", async () => {
	const { url } = await serve({
		endpoint: {
			dispatcher: async (_method, _params, context) => {
				context.notify("notifications/message", { level: "info", data: "soon" });
				return { content: [{ type: "text", text: "x".repeat(20_000_000) }] };
			},
		},
	});
	const session = await openSession(url);
	const { body } = await post(url, call(2, "large"), session);
	assert.ok(body.length > 20_000_000);
});
