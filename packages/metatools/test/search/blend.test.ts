import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import { blend } from "../../src/search/blend/blend.ts";
import { coverNeeds } from "../../src/search/blend/coverNeeds.ts";
import { keepLeader } from "../../src/search/blend/rankTask.ts";
import { readTokenTable } from "../../src/search/meaning/tokenTable.ts";
import type { Hit, SearchDocument, SearchStrategy } from "../../src/search/strategy.ts";
import { bm25 } from "../../src/search/words/bm25.ts";

const SHIPPED = readFileSync(new URL("../../model/tools.model", import.meta.url));

const document = (id: string, description: string): SearchDocument => ({
	id,
	name: id.split(":")[1] ?? id,
	namespace: id.split(":")[0] ?? "",
	description,
	tags: [],
	parameters: [],
	server: "",
});
const FILES = [
	document("fs:read_file", "Read the contents of a file."),
	document("fs:write_file", "Write text to a file."),
	document("fs:move_file", "Move or rename a file."),
	document("fs:list_directory", "List what a directory has."),
];
const SERVICES = [
	...FILES,
	document("air:search_flights", "Find airline connections between two airports."),
	document("post:deliver", "Sends a letter to recipients."),
	document("sky:forecast", "Temperature, rain and wind of the coming days for a city."),
	document("shop:checkout", "Pay what is in the basket."),
];

async function search(strategy: SearchStrategy, documents: readonly SearchDocument[], ...queries: string[]) {
	return (await strategy.build(documents).search(queries)) as readonly Hit[];
}
const first = async (...args: Parameters<typeof search>) => (await search(...args))[0]?.id;
const bestFit = (hits: readonly Hit[]) => Math.max(0, ...hits.map(({ fit }) => fit ?? 0));

verifies("004-search-meaning", "a tool is found by what a task means where they share no word", async () => {
	for (const [task, id] of [
		["is it cold outside today", "sky:forecast"],
		["hot or cold tomorrow", "sky:forecast"],
		["complete my purchase", "shop:checkout"],
	] as const) {
		assert.notEqual(await first(bm25(), SERVICES, task), id, `by words alone: ${task}`);
		assert.equal(await first(blend(), SERVICES, task), id, task);
	}
});

test("the best match by words stays among the first three if it has half of what was asked for, and first beyond doubt", () => {
	for (const [second, mass, kept] of [
		[3, 10, [0, 1, 5, 2, 3, 4]],
		[3, 13, [0, 1, 2, 3, 4, 5]],
		[2, 10, [5, 0, 1, 2, 3, 4]],
		[2, 13, [0, 1, 2, 3, 4, 5]],
	] as const) {
		const order = [0, 1, 2, 3, 4, 5];
		keepLeader(order, Float64Array.from([1, 0, second, 0, 0, 6]), mass);
		assert.deepEqual(order, kept);
	}
});

verifies(
	"004-search-nothing-fits",
	"a task that no tool does has a low chance to fit and still the nearest two",
	async () => {
		for (const task of ["send an email", "book a flight to Paris", "play some music"]) {
			const hits = await search(blend(), FILES, task);
			assert(bestFit(hits) < 0.2, `${task}: ${bestFit(hits)}`);
			assert(hits.length > 0, task);
		}
		for (const task of ["read a file", "rename a file", "write_file"])
			assert(bestFit(await search(blend(), FILES, task)) > 0.5, task);
		assert.deepEqual(await search(blend(), FILES, "zzzzqqq"), []);
	},
);

test("each need of a task brings its tool to the top and says which need it serves", async () => {
	const task =
		"Read the contents of the report file. Find airline connections between the two airports of my trip. Tell me the temperature and the rain in the city";
	const hits = await search(blend(), SERVICES, task);
	const top = hits.slice(0, 3);
	assert.deepEqual(top.map(({ id }) => id).sort(), ["air:search_flights", "fs:read_file", "sky:forecast"]);
	for (const [id, need] of [
		["fs:read_file", /^Read/],
		["air:search_flights", /^Find airline/],
		["sky:forecast", /temperature|rain/],
	] as const)
		assert.match(top.find((hit) => hit.id === id)?.need ?? "", need);
});

test("a document that serves a need not yet served moves up, and nothing is lost or repeated", () => {
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 90 }), fc.array(fc.integer({ min: 0, max: 89 })), (count, serving) => {
			const order = Array.from({ length: count }, (_, at) => at);
			const scores = Float64Array.from(order, (at) => 1 - at / 100);
			const needs = ["one", "two"].map((text, which) => ({
				text,
				served: new Map(serving.filter((at) => at % 2 === which).map((at) => [at, 1])),
			}));
			assert.deepEqual(
				[...coverNeeds(order, scores, needs)].sort((a, b) => a - b),
				order,
			);
		}),
	);
	const scores = Float64Array.from([1, 0.95, 0.9]);
	const needs = [
		{
			text: "a",
			served: new Map([
				[0, 1],
				[1, 1],
			]),
		},
		{ text: "b", served: new Map([[2, 1]]) },
	];
	assert.deepEqual(coverNeeds([0, 1, 2], scores, needs), [0, 2, 1]);
});

test("without its model a search goes on by words and says why", async (t) => {
	const warnings: string[] = [];
	t.mock.method(process, "emitWarning", (text: string) => warnings.push(text));
	const broken = blend({}, () => readTokenTable(SHIPPED.subarray(0, 1_000)));
	assert.equal(await first(broken, FILES, "move a file"), "fs:move_file");
	assert.match(warnings[0] ?? "", /^search by words only: 1000 bytes; its header says \d+$/);
});

test("a model that was changed, cut short or is none is refused with the reason", () => {
	const changed = Buffer.from(SHIPPED);
	changed[SHIPPED.length - 100] = (changed[SHIPPED.length - 100] ?? 0) ^ 1;
	const newer = Buffer.from(SHIPPED);
	newer.writeUInt16LE(2, 4);
	for (const [bytes, reason] of [
		[changed, /checksum does not match/],
		[SHIPPED.subarray(0, -1), /its header says/],
		[Buffer.from("{}"), /not a token table/],
		[newer, /version 2; this build reads version 1/],
	] as const)
		assert.throws(() => readTokenTable(bytes), { name: "BadTokenTable", message: reason });
	assert(SHIPPED.length < 10_000_000);
});

test("hostile queries are answered, and ranking does not depend on the order of the tools", async () => {
	const index = blend().build(SERVICES);
	for (const query of [
		"",
		"   ",
		"\u0000\uffff",
		"a".repeat(100_000),
		"constructor __proto__",
		"where in my code ".repeat(600),
	])
		assert(Array.isArray(await index.search([query])));
	assert.deepEqual(await blend().build([]).search(["read a file"]), []);
	await fc.assert(
		fc.asyncProperty(fc.shuffledSubarray(SERVICES, { minLength: SERVICES.length }), async (shuffled) => {
			const ids = async (documents: readonly SearchDocument[]) =>
				(await search(blend(), documents, "find the file of my flights")).map(({ id }) => id);
			assert.deepEqual(await ids(shuffled), await ids(SERVICES));
		}),
		{ numRuns: 20 },
	);
});
