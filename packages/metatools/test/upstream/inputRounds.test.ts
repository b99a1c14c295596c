import assert from "node:assert/strict";
import { test } from "node:test";
import { type GivenInput, runInputRounds } from "../../src/upstream/calls/questions.ts";

test("every question of a server is answered under its own key, whatever that is", async () => {
	const asked = JSON.parse('{"__proto__":{"method":"a"},"constructor":{"method":"b"},"plain":{"method":"c"}}');
	const given: GivenInput[] = [];
	const result = await runInputRounds(
		async (input) => {
			given.push(input);
			return given.length === 1
				? { resultType: "input_required", inputRequests: asked, requestState: 7 }
				: { done: true };
		},
		async (method) => ({ to: method }),
		(problem) => new Error(problem),
	);
	assert.deepEqual(result, { done: true });
	assert.equal(
		JSON.stringify(given[1]),
		'{"inputResponses":{"__proto__":{"to":"a"},"constructor":{"to":"b"},"plain":{"to":"c"}},"requestState":7}',
	);
});
