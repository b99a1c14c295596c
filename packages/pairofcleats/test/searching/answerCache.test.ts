import assert from "node:assert/strict";
import { test } from "node:test";
import { SEARCH_ARGUMENTS } from "../../src/query/arguments.ts";
import { readSearchRequest } from "../../src/query/request.ts";
import { AnswerCache, makeAnswerKey } from "../../src/searching/searches.ts";
import { WrittenSearch } from "../../src/searching/writtenSearch.ts";
import { CHANGES } from "../parity/requests.ts";

const keyOf = (version: string, request: Readonly<Record<string, unknown>>): string | undefined =>
	makeAnswerKey(version, readSearchRequest(request));

test("every argument of a search is part of the key of its answer", () => {
	const values = new Map(Object.entries(CHANGES).map(([name, { value }]) => [name, value]));
	values.set("backend", "sqlite");
	const plain = { query: "session" };
	const keys = new Map([[keyOf("v1", plain), "nothing"]]);
	for (const name of Object.keys(SEARCH_ARGUMENTS)) {
		if (name === "repoPath" || name === "modifiedSince") continue;
		assert.ok(values.has(name), `${name}: no value to ask with`);
		const key = keyOf("v1", { ...plain, [name]: values.get(name) });
		assert.equal(keys.get(key), undefined, `${name} and ${keys.get(key)} have one key`);
		keys.set(key, name);
	}
	assert.notEqual(keyOf("v2", plain), keyOf("v1", plain));
});

test("equal requests have equal keys, and a request relative to the current time has none", () => {
	const one = { query: "session", path: "src/", top: 5, meta: { severity: "low" } };
	const same = { meta: ["severity=low"], top: 5, path: ["src/"], query: "session", repoPath: "/elsewhere", ann: null };
	assert.equal(keyOf("v1", one), keyOf("v1", same));
	assert.notEqual(keyOf("v1", { query: "a", path: "b", file: "c" }), keyOf("v1", { query: "a", path: "c", file: "b" }));
	assert.equal(keyOf("v1", { query: "session", modifiedSince: 3 }), undefined);
});

test("the least recently used answers are evicted first, and the cache never exceeds its size", () => {
	const cache = new AnswerCache(10_000);
	const answer = (size: number): WrittenSearch => new WrittenSearch(JSON.stringify("x".repeat(size)), []);
	const keep = (key: string, kept: WrittenSearch): void => {
		cache.set(key, kept);
		cache.set(key, kept);
	};
	for (let at = 0; at < 4; at++) keep(`k${at}`, answer(500));
	assert.ok(cache.get("k0") !== undefined);
	for (let at = 4; at < 40; at++) {
		keep(`k${at}`, answer(500));
		assert.ok(cache.bytes <= 10_000, `${cache.bytes}`);
		assert.ok(cache.get("k0") !== undefined, "what is used stays");
	}
	assert.equal(cache.get("k1"), undefined);
	assert.ok(cache.get("k39") !== undefined);
	for (const again of [1, 2, 3]) cache.set("k0", answer(500 + again));
	assert.ok(cache.bytes <= 10_000);
	keep("huge", answer(2_000_000));
	assert.equal(cache.get("huge"), undefined);
	assert.ok(cache.get("k0") !== undefined, "one that is too large drives out nothing");
});

test("an answer is cached when it is requested a second time", () => {
	const cache = new AnswerCache();
	for (let at = 0; at < 1_000; at++) cache.set(`k${at}`, new WrittenSearch("{}", []));
	assert.equal(cache.bytes, 0);
	cache.set("k7", new WrittenSearch('{"again":true}', []));
	assert.equal(cache.get("k7")?.text, '{"again":true}');
	assert.equal(cache.get("k8"), undefined);
});

test("an answer is cached only as long as it is true", (t) => {
	t.mock.timers.enable({ apis: ["Date"], now: 1_000 });
	const cache = new AnswerCache();
	for (const _ of [1, 2]) cache.set("k", new WrittenSearch("{}", []), 2_000);
	assert.ok(cache.get("k") !== undefined);
	t.mock.timers.setTime(2_000);
	assert.equal(cache.get("k"), undefined);
	assert.equal(cache.bytes, 0);
});

test("an answer cut short by a time limit, or without a key, is not cached", () => {
	const cache = new AnswerCache();
	for (const _ of [1, 2]) {
		cache.set("hurried", new WrittenSearch("{}", [{ code: "regex_budget", message: "too slow" }]));
		cache.set(undefined, new WrittenSearch("{}", []));
	}
	assert.equal(cache.get("hurried"), undefined);
	assert.equal(cache.get(undefined), undefined);
	assert.equal(cache.bytes, 0);
});
