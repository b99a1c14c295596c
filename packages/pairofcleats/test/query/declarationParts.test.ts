import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { success } from "../../src/contract/envelope.ts";
import { renderEnvelope } from "../../src/server/renderEnvelope.ts";
import { runCaptured } from "../cli/captured.ts";
import { type Fixture, fixtureOf } from "../filter/fixtureRepository.ts";

const body = (lines: number, name: string): string =>
	Array.from({ length: lines }, (_, line) => `\tlet ${name}${line} = weigh(${line});`).join("\n");
const LONG = `fn long() {\n${body(170, "step")}\n}\n`;
const NESTING = `function nesting() {\n${body(70, "outer")}\n\tfunction inner() {\n${body(40, "inner")}\n\t}\n${body(40, "rest")}\n}\n`;
const TWO_BLOCKS = `struct Scale;\nimpl Scale {\n${constants(0, 40)}\n}\nimpl Scale {\n${constants(40, 60)}\n}\n`;

function constants(from: number, to: number): string {
	return Array.from({ length: to - from }, (_, at) => `\tconst C${from + at}: u8 = ${at};`).join("\n");
}

describe("a declaration of several chunks", () => {
	let fixture: Fixture;
	before(async () => {
		fixture = await fixtureOf({ "long.rs": LONG, "nesting.js": NESTING, "two.rs": TWO_BLOCKS });
	});
	after(() => fixture.remove());
	const mapped = async (path: string): Promise<string[]> =>
		(await fixture.repository.map(path)).map((at) => `${at.startLine}-${at.endLine} ${at.kind} ${at.name}`);

	test("is listed once in a map, with all of its lines", async () => {
		assert.deepEqual(await mapped("long.rs"), ["1-172 function long"]);
		assert.deepEqual(await mapped("nesting.js"), ["1-153 function nesting", "72-113 function inner"]);
	});

	test("is not made of neighbours that share its name", async () => {
		assert.deepEqual(await mapped("two.rs"), ["1-1 struct Scale", "2-43 impl Scale", "44-65 impl Scale"]);
	});

	test("is told by its part on a terminal and in a text for a model", async () => {
		const result = await fixture.repository.search({ query: "step160", mode: "code", top: 1 });
		const envelope = success({ search: result });
		assert.match(renderEnvelope(envelope), /^long\.rs:\d+-172 function long \(part 3 of 3\)$/m);
		const outer = process.env.PAIROFCLEATS_CACHE_ROOT;
		process.env.PAIROFCLEATS_CACHE_ROOT = fixture.cacheRoot;
		const { lines } = await runCaptured(["search", "step160", "--compact", "--repo", fixture.root]);
		if (outer === undefined) delete process.env.PAIROFCLEATS_CACHE_ROOT;
		else process.env.PAIROFCLEATS_CACHE_ROOT = outer;
		assert.match(lines[0] ?? "", /^long\.rs:\d+-172 {2}function long \(part 3 of 3\)$/);
	});

	test("says in a hit which part of it was found, and where the whole of it is", async () => {
		const { hits } = await fixture.repository.search({ query: "step160", mode: "code" });
		assert.equal(hits[0]?.name, "long");
		assert.deepEqual(hits[0]?.part, { index: 3, of: 3, startLine: 1, endLine: 172 });
		const inner = await fixture.repository.search({ query: "inner7", mode: "code" });
		assert.equal(inner.hits[0]?.name, "inner");
		assert.equal(inner.hits[0]?.part, undefined);
		const rest = await fixture.repository.search({ query: "rest7", mode: "code" });
		assert.deepEqual(rest.hits[0]?.part, { index: 2, of: 2, startLine: 1, endLine: 153 });
	});
});
