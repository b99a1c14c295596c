import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ConditionContext } from "../../src/query/conditions.ts";
import { parseQuery } from "../../src/query/parseQuery.ts";
import type { Warning } from "../../src/query/result.ts";
import { narrowDocuments } from "../../src/repo/answer/narrow.ts";
import { type OpenIndex, openIndex } from "../../src/repo/openIndex.ts";
import { MODES } from "../../src/segment/columns.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { type Fixture, fixtureOf } from "../filter/fixtureRepository.ts";

let fixture: Fixture;
let index: OpenIndex;
before(async () => {
	const many = Array.from({ length: 30 }, (_, at) => [`src/part${at}.py`, `def part${at}():\n    return "detail"\n`]);
	fixture = await fixtureOf({
		...Object.fromEntries(many),
		"src/errors.py": 'def missing():\n    return {"detail": "field required"}\n',
	});
	index = openIndex(openIndexFolder(fixture.cacheRoot, fixture.root).current() ?? "");
});
after(async () => {
	index.close();
	await fixture.remove();
});

/** The documents that satisfy a query, and how many texts were read for it. */
function narrowed(query: string, untilMs: number) {
	let reads = 0;
	const { snapshot, reader, texts } = index;
	const context: ConditionContext = {
		snapshot,
		reader,
		texts: new Proxy(texts, {
			get: (target, key) => {
				if (key === "chunk") reads += 1;
				const value = Reflect.get(target, key);
				return typeof value === "function" ? value.bind(target) : value;
			},
		}),
		allowed: index.documents([MODES.indexOf("code")]).slice(),
		caseSensitive: false,
		regexes: new Map(),
		spent: { capped: false, untilMs },
	};
	const warnings: Warning[] = [];
	const parsed = narrowDocuments(parseQuery(query), context, warnings);
	const left = context.allowed.reduce((sum, bit) => sum + bit, 0);
	return { parsed, left, reads, messages: warnings.map(({ message }) => message) };
}

test("of several phrases, a common one is searched only in documents that can contain the rare one", () => {
	const { left, reads } = narrowed('body "detail" "field required"', Number.POSITIVE_INFINITY);
	assert.equal(left, 1);
	assert.ok(reads <= 4, `${reads} texts were read`);
});

test("an excluded phrase leaves out what there was no time to read", () => {
	const all = index.documents([MODES.indexOf("code")]).reduce((sum, bit) => sum + bit, 0);
	assert.equal(narrowed('* -"field required"', Number.POSITIVE_INFINITY).left, all - 1);
	assert.equal(narrowed('* -"detail"', 0).left, 0);
});

test("phrases that could not be checked in time are searched by their words", () => {
	const { parsed, left, messages } = narrowed('body "detail" "field required"', 0);
	assert.equal(parsed.condition, undefined);
	assert.equal(
		left,
		index.documents([MODES.indexOf("code")]).reduce((sum, bit) => sum + bit, 0),
	);
	assert.deepEqual(messages, [
		"what was read in time has not the text in quotes as it is written; its words are looked for instead",
	]);
});

test("a phrase that only excluded documents have is not replaced by its words", () => {
	for (const query of [
		'body "field required" -missing',
		'"field required" -missing',
		'part "field required" /nowhere/',
	]) {
		const { left, messages } = narrowed(query, Number.POSITIVE_INFINITY);
		assert.equal(left, 0, query);
		assert.deepEqual(
			messages,
			["the text in quotes is found, but the rest of the query excludes everything that has it"],
			query,
		);
	}
	assert.deepEqual(narrowed('body "field wanted" -missing', Number.POSITIVE_INFINITY).messages, [
		"nothing searched has the text in quotes as it is written; its words are looked for instead",
	]);
});
