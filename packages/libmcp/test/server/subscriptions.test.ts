import assert from "node:assert/strict";
import { test } from "node:test";
import { Subscriptions } from "../../src/server/session/subscriptions.ts";
import { toRequestId } from "../../src/wire/requestId.ts";

const DESCRIPTION = { info: { name: "watched", version: "1" }, capabilities: { resources: { subscribe: true } } };

function listening(): { listen(id: number, uris: readonly string[]): () => void; readonly sent: string[] } {
	const subscriptions = new Subscriptions();
	const sent: string[] = [];
	const outlet = { emit: (text: string) => void sent.push(text), finish: () => {} };
	return {
		sent,
		listen: (id, resourceSubscriptions) =>
			subscriptions.listen(toRequestId(id), { notifications: { resourceSubscriptions } }, DESCRIPTION, outlet),
	};
}

test("a URI that is watched has at most 8,192 characters", () => {
	const { listen, sent } = listening();
	listen(1, [`a:${"b".repeat(8_190)}`]);
	assert.equal(sent.length, 1);
	assert.throws(() => listen(2, ["a:c", `a:${"b".repeat(8_191)}`]), {
		code: -32602,
		message: /at most 8192 characters$/,
	});
	assert.equal(sent.length, 1);
});

test("the URIs of all subscriptions together are bounded, and those that end make room", () => {
	const { listen, sent } = listening();
	const long = Array.from({ length: 1_000 }, (_, index) => `${index}:`.padEnd(8_192, "x"));
	const end = listen(1, long);
	listen(2, long);
	assert.throws(() => listen(3, long), { code: -32603, message: /16777216 characters$/ });
	assert.equal(sent.length, 2);
	end();
	listen(3, long);
	assert.equal(sent.length, 3);
});
