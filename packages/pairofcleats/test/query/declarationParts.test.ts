import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { success } from "../../src/contract/envelope.ts";
import { renderEnvelope } from "../../src/server/renderResult.ts";
import { runCaptured } from "../cli/captured.ts";
import { type Fixture, fixtureOf } from "../filter/fixtureRepository.ts";

const body = (lines: number, name: string): string =>
	Array.from({ length: lines }, (_, line) => `\tlet ${name}${line} = weigh(${line});`).join("\n");
const LONG = `fn long() {\n${body(170, "step")}\n}\n`;
const NESTING = `function nesting() {\n${body(70, "outer")}\n\tfunction inner() {\n${body(40, "inner")}\n\t}\n${body(40, "rest")}\n}\n`;
const TWO_BLOCKS = `struct Scale;\nimpl Scale {\n${constants(0, 40)}\n}\nimpl Scale {\n${constants(40, 80)}\n}\n`;
const words = (lines: number, word: string): string =>
	Array.from({ length: lines }, (_, line) => `${word} ${line}`).join("\n");
const GUIDE = `# Guide\n\n## Example\n${words(60, "first")}\n\n## Example\n${words(160, "second")}\n`;
const SCRIPT = `CREATE TABLE wide (\n${Array.from({ length: 150 }, (_, at) => `  column${at} int`).join(",\n")}\n);\n`;
const PYTHON = `class Engine:\n    def run(self):\n${words(90, "        self.step(").replaceAll(/$/gm, ")")}\n\n        def later():\n${words(50, "            wait(").replaceAll(/$/gm, ")")}\n\n${words(40, "        self.last(").replaceAll(/$/gm, ")")}\n\n    def stop(self):\n        return 1\n`;
const OVERLOADS = `class Printer {\n\tvoid print(int a) {\n${words(130, "\t\twriteNumber").replaceAll(/ (\d+)$/gm, "($1);")}\n\t}\n\tvoid print(int b) {\n${words(30, "\t\twriteAgain").replaceAll(/ (\d+)$/gm, "($1);")}\n\t}\n}\n`;
const PAGE = `<script>\nfunction inPage() {\n${body(150, "a")}\n}\n</script>\n<script type="text/x-template">\n${words(150, "template")}\n</script>\n`;
const ONE_LINE = `const packed = () => [${Array.from({ length: 9_000 }, (_, at) => `"w${at}"`).join(",")}];\n`;

function constants(from: number, to: number): string {
	return Array.from({ length: to - from }, (_, at) => `\tconst C${from + at}: u8 = ${at};`).join("\n");
}

describe("a declaration of several chunks", () => {
	let fixture: Fixture;
	before(async () => {
		fixture = await fixtureOf({
			...{ "long.rs": LONG, "nesting.js": NESTING, "two.rs": TWO_BLOCKS },
			...{ "guide.md": GUIDE, "script.sql": SCRIPT, "engine.py": PYTHON, "Printer.java": OVERLOADS },
			...{ "page.html": PAGE, "packed.js": ONE_LINE },
		});
	});
	after(() => fixture.remove());
	// Fields, columns and constants have no chunks.
	const mapped = async (path: string): Promise<string[]> =>
		(await fixture.repository.map(path))
			.filter(({ kind }) => kind !== "property" && kind !== "constant")
			.map((at) => `${at.startLine}-${at.endLine} ${at.kind} ${at.name}`);

	test("is listed once in a map, with all of its lines", async () => {
		assert.deepEqual(await mapped("long.rs"), ["1-172 function long"]);
		assert.deepEqual(await mapped("nesting.js"), ["1-154 function nesting", "72-113 function inner"]);
		assert.deepEqual(await mapped("script.sql"), ["1-152 table wide"]);
		assert.deepEqual(await mapped("packed.js"), ["1-1 function packed"]);
		assert.deepEqual(await mapped("engine.py"), [
			"1-188 class Engine",
			"2-185 method run",
			"94-144 function later",
			"187-188 method stop",
		]);
	});

	test("excludes the lines that were parsed in another language", async () => {
		assert.deepEqual(await mapped("page.html"), [
			"1-1 element script",
			"2-153 function inPage",
			"155-306 element script",
		]);
	});

	test("does not include neighbours with the same name", async () => {
		assert.deepEqual(await mapped("two.rs"), ["1-1 struct Scale", "2-43 impl Scale", "44-85 impl Scale"]);
		assert.deepEqual(await mapped("guide.md"), ["1-1 section Guide", "3-63 section Example", "65-225 section Example"]);
		assert.deepEqual(await mapped("Printer.java"), [
			"1-166 class Printer",
			"2-133 method print",
			"134-165 method print",
		]);
	});

	test("is shown with its part number on a terminal and in porcelain text", async () => {
		const result = await fixture.repository.search({ query: "step160", mode: "code", top: 1 });
		const envelope = success({ search: result });
		assert.match(renderEnvelope(envelope), /^long\.rs:\d+-172 function long \(part 3 of 3, whole 1-172\)$/m);
		const outer = process.env.PAIROFCLEATS_CACHE_ROOT;
		process.env.PAIROFCLEATS_CACHE_ROOT = fixture.cacheRoot;
		const { lines } = await runCaptured(["search", "step160", "--compact", "--repo", fixture.root]);
		if (outer === undefined) delete process.env.PAIROFCLEATS_CACHE_ROOT;
		else process.env.PAIROFCLEATS_CACHE_ROOT = outer;
		assert.match(lines[0] ?? "", /^long\.rs:\d+-172 {2}function long \(part 3 of 3, whole 1-172\)$/);
	});

	test("tells in a hit which part was found, and the lines of the whole", async () => {
		const { hits } = await fixture.repository.search({ query: "step160", mode: "code" });
		assert.equal(hits[0]?.name, "long");
		assert.deepEqual(hits[0]?.whole, { startLine: 1, endLine: 172 });
		assert.deepEqual(hits[0]?.part, { index: 3, of: 3, startLine: 1, endLine: 172 });
		const inner = await fixture.repository.search({ query: "inner7", mode: "code" });
		assert.equal(inner.hits[0]?.name, "inner");
		assert.equal(inner.hits[0]?.part, undefined);
		assert.equal(inner.hits[0]?.whole, undefined);
		const rest = await fixture.repository.search({ query: "rest7", mode: "code" });
		assert.deepEqual(rest.hits[0]?.part, { index: 2, of: 2, startLine: 1, endLine: 154 });
	});

	test("tells where a class ends whose head was found and whose methods are hits of their own", async () => {
		const { hits } = await fixture.repository.search({ query: "Engine", mode: "code" });
		const [{ name, startLine, endLine, whole, part } = assert.fail("nothing found")] = hits;
		assert.deepEqual({ name, startLine, endLine, part }, { name: "Engine", startLine: 1, endLine: 1, part: undefined });
		assert.deepEqual(whole, { startLine: 1, endLine: 188 });
	});
});
