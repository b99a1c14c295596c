import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { INVALID_FRAME, type InvalidReason } from "../../src/wire/envelope.ts";
import { HOSTILE } from "../wire/hostileFrames.ts";
import { CLAIM, call, errorOf, modernHeaders, openSession, post, request, serve } from "./serving.ts";

const ODD_IDS = ["1.0", "1e400", "-0", "0.5", "12345678901234567890", '"\\u0061"', '"\\ud800"', '""', '"é"'];

for (const era of ["legacy", "modern"] as const) {
	const headersFor = async (url: string) => (era === "legacy" ? openSession(url) : modernHeaders("tools/call", "echo"));
	const meta = era === "legacy" ? {} : { _meta: CLAIM };

	test(`${era}: a body that is no message is refused for what is wrong with it, and the next one is served`, async () => {
		const { url } = await serve();
		const headers = await headersFor(url);
		for (const { text, reason } of HOSTILE) {
			const refused = await post(url, text, headers);
			assert.deepEqual(
				[refused.status, errorOf(refused).code, errorOf(refused).data],
				[400, INVALID_FRAME[reason as InvalidReason].code, { ...errorOf(refused).data, reason }],
				text.toString().slice(0, 80),
			);
		}
		const served = await post(url, request(1, "tools/call", { name: "echo", ...meta }), headers);
		assert.equal(served.status, 200);
	});

	test(`${era}: an id comes back as it was sent`, async () => {
		const { url } = await serve();
		const headers = await headersFor(url);
		for (const id of ODD_IDS) {
			const body = JSON.stringify(request(0, "tools/call", { name: "echo", ...meta }));
			const served = await post(url, body.replace('"id":0', `"id":${id}`), headers);
			assert.ok(served.body.includes(`"id":${id},"result"`), `${id}: ${served.body}`);
		}
	});
}

test("legacy: an answer that cannot be read is refused and fails its question", async () => {
	const { url, endpoint } = await serve();
	const headers = await openSession(url);
	const asking = post(url, call(5, "ask"), headers);
	await until(() => endpoint.inFlight === 1);
	const refused = await post(url, '{"jsonrpc":"2.0","id":1,"result":{"roots":NaN}}', headers);
	assert.deepEqual([refused.status, errorOf(refused).code, refused.json.id], [400, -32700, null]);
	assert.equal(errorOf(await asking).code, -32603);
});

test("modern: an answer is refused, for nobody asked", async () => {
	const { url } = await serve();
	const refused = await post(url, { jsonrpc: "2.0", id: 1, result: {} }, modernHeaders("tools/call"));
	assert.deepEqual([refused.status, errorOf(refused).data.code], [400, "BAD_REQUEST"]);
	assert.match(errorOf(refused).message, /expected a request or a notification, got an answer/);
});

test("modern: a subscription is known by the id that opened it, as it was sent", async () => {
	const { url } = await serve();
	// Of nothing: it is acknowledged and complete.
	const body = JSON.stringify(request(0, "subscriptions/listen", { notifications: {}, _meta: CLAIM }));
	const exact = body.replace('"id":0', '"id":12345678901234567890');
	const heard = await post(url, exact, modernHeaders("subscriptions/listen"));
	assert.deepEqual(heard.body.match(/subscriptionId":[^,}]*/g), Array(2).fill('subscriptionId":12345678901234567890'));
});
