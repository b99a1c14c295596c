import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { Chunk, ParsedFile } from "../../src/parse/chunk.ts";
import { compileSpec } from "../../src/parse/extract/spec/compileSpec.ts";
import { LANGUAGE_FACTS, listFactFields } from "../../src/parse/languageFacts.ts";
import { LANGUAGES } from "../../src/parse/languages.ts";
import { parseFile } from "../../src/parse/parseFile.ts";
import { loadGrammar } from "../../src/parse/parseGrammar.ts";
import { SPECS } from "../../src/parse/specs/index.ts";
import { PYTHON } from "../../src/parse/specs/languages/python.ts";
import { unknownNames } from "./unknownNames.ts";

const FIXTURES = new URL("./fixtures/data/", import.meta.url);
const expected: Record<string, unknown> = JSON.parse(readFileSync(new URL("expected.json", FIXTURES), "utf8"));

for (const file of readdirSync(FIXTURES).filter((name) => name.startsWith("store."))) {
	const path = file.replace(/\.txt$/, "");
	test(`chunks, names, ranges and facts of ${path} are those a reader would write down`, async () => {
		const parsed = await parseFile(path, readFileSync(new URL(file, FIXTURES), "utf8"));
		assert.deepEqual(parsed.parseErrors, []);
		assert.deepEqual(readable(parsed), expected[path]);
	});
}

test("every language that should be parsed by structure is", () => {
	const required =
		"typescript tsx javascript python go rust java kotlin c cpp csharp ruby php swift scala bash sql html css json yaml toml markdown";
	const read = new Set(LANGUAGES.filter((language) => language.parser !== undefined).map((language) => language.id));
	assert.deepEqual(
		required.split(" ").filter((id) => !read.has(id)),
		[],
	);
	const covered = new Set(Object.values(expected).map((entry) => (entry as { language: string }).language));
	assert.deepEqual(
		required.split(" ").filter((id) => !covered.has(id)),
		[],
	);
});

test("every language's grammar has a spec, without which it would silently be chunked by lines", () => {
	const unspecified = LANGUAGES.filter(({ parser }) => parser && "grammar" in parser && !(parser.grammar in SPECS));
	assert.deepEqual(
		unspecified.map(({ id }) => id),
		[],
	);
});

for (const [name, spec] of Object.entries(SPECS)) {
	test(`the ${name} spec names only what its grammar has`, async () => {
		const grammar = await loadGrammar(name);
		assert.deepEqual(unknownNames(spec, grammar), []);
		assert.ok(compileSpec(spec, grammar).rules.size > 0);
	});
}

test("the table of facts lists what each language supports", () => {
	assert.deepEqual(LANGUAGE_FACTS.get("json")?.size, 0);
	assert.equal(LANGUAGE_FACTS.get("typescript")?.has("awaits"), true);
	assert.equal(LANGUAGE_FACTS.get("go")?.has("awaits"), false);
	assert.equal(LANGUAGE_FACTS.get("c")?.has("extends"), false);
	assert.deepEqual(LANGUAGE_FACTS.get("python"), new Set([...listFactFields(PYTHON), "risk"]));
	assert.equal(LANGUAGE_FACTS.get("css")?.has("risk"), false);
	assert.equal(LANGUAGE_FACTS.get("bash")?.has("params"), false);
});

test("no chunk has a fact that the table does not list for its language", async () => {
	for (const [path] of Object.entries(expected)) {
		const parsed = await parseFile(path, readFileSync(new URL(`${path}.txt`, FIXTURES), "utf8"));
		if (parsed.method !== "grammar") continue;
		const filled = LANGUAGE_FACTS.get(parsed.language);
		for (const chunk of parsed.chunks) {
			for (const field of Object.keys(chunk.facts ?? {}))
				assert.ok(filled?.has(field as never), `${path} ${chunk.qualifiedName}: ${field}`);
		}
	}
});

/** The parsed file without empty values, to keep the expectations readable. */
function readable(parsed: ParsedFile): unknown {
	return {
		language: parsed.language,
		method: parsed.method,
		imports: parsed.imports,
		exports: parsed.exports,
		outline: parsed.chunks.map(line),
		prose: parsed.prose.map((prose) => `${prose.startLine}-${prose.endLine} ${prose.text}`),
		facts: Object.fromEntries(
			parsed.chunks
				.filter((chunk) => chunk.kind !== "block" && chunk.facts)
				.map((chunk) => [
					chunk.qualifiedName,
					Object.fromEntries(Object.entries(chunk.facts ?? {}).filter(([, value]) => !isEmpty(value))),
				]),
		),
	};
}

function line(chunk: Chunk): string {
	const head = `${chunk.startLine}-${chunk.endLine} ${chunk.kind} ${chunk.qualifiedName}`.trim();
	const extent = chunk.extentEndLine ? ` …${chunk.extentEndLine}` : "";
	const symbols = chunk.symbols
		? ` [${chunk.symbols.map((symbol) => `${symbol.kind} ${symbol.name}`).join(", ")}]`
		: "";
	return `${head}${extent}${symbols}`;
}

function isEmpty(value: unknown): boolean {
	return value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}
