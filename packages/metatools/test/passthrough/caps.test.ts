import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { isObject } from "../../src/contract/json.ts";
import { ask, conversations, served } from "./conversations.ts";

const CALL = { name: "echo", arguments: {} };
const options = { timeout: 120_000 };

test("a session watches so many resources and no more, until it lets one go", options, async () => {
	const { open } = conversations();
	const url = await served({ protocol: "modern" }, open);
	const { session } = await ask(url);
	const watch = (method: string, n: number) => ask(url, session, method, { uri: `test://${n}` });
	for (let n = 0; n < 1_000; n++) assert.deepEqual((await watch("resources/subscribe", n)).body.result, {});
	const { error } = (await watch("resources/subscribe", 1_000)).body;
	assert.deepEqual(isObject(error) && [error.code, error.message], [
		-32602,
		"uri: at most 1000 resources can be watched at once",
	]);
	await watch("resources/unsubscribe", 7);
	assert.deepEqual((await watch("resources/subscribe", 1_000)).body.result, {});
});

test("an address that nobody could have is not watched, whichever era the server speaks", options, async () => {
	for (const protocol of ["legacy", "modern"] as const) {
		const { open, opened } = conversations();
		const url = await served({ protocol }, open);
		const { session } = await ask(url);
		const { error } = (await ask(url, session, "resources/subscribe", { uri: `test://${"a".repeat(8_186)}` })).body;
		assert.deepEqual(isObject(error) && [error.code, error.message], [
			-32602,
			"uri: expected at most 8192 characters, got 8193",
		]);
		assert(!opened.some(({ asked }) => asked.includes("resources/subscribe")), protocol);
	}
});

test("a session too many ends the one unused longest, and its conversation with the server", options, async () => {
	const { open, opened } = conversations();
	const url = await served({ protocol: "legacy" }, open);
	const sessions: (string | undefined)[] = [];
	for (let n = 0; n < 56; n++) sessions.push((await ask(url)).session);
	assert.equal(opened.length, 56);
	// The first is used once more, so the second is the one unused longest.
	assert.equal((await ask(url, sessions[0], "tools/call", CALL)).status, 200);
	const newest = await ask(url);
	assert.equal(newest.status, 200);
	await until(() => opened.some(({ closed }) => closed));
	assert.deepEqual(
		opened.flatMap(({ closed }, n) => (closed ? [n] : [])),
		[1],
	);
	const status = async (session: string | undefined) => (await ask(url, session, "tools/call", CALL)).status;
	assert.deepEqual(
		[await status(sessions[0]), await status(sessions[1]), await status(sessions[2]), await status(newest.session)],
		[200, 404, 200, 200],
	);
});
