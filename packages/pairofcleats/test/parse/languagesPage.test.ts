import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { writeLanguageFactsTable } from "../../src/parse/languageFacts.ts";
import { LANGUAGES, type Language } from "../../src/parse/languages.ts";
import { DEFAULT_SINKS } from "../../src/parse/risk/rules/defaultRules.ts";
import { DEFAULT_SOURCES } from "../../src/parse/risk/rules/defaultSources.ts";
import { readRiskRules } from "../../src/parse/risk/rules/readRiskRules.ts";

const page = readFileSync(new URL("../../../../docs/languages.md", import.meta.url), "utf8");

test("the documented table of facts is the one the code has", () => {
	assert.ok(
		page.includes(writeLanguageFactsTable()),
		"docs/languages.md: replace its table by what languageFactsTable() returns",
	);
});

test("the page lists how the files of each language are read", () => {
	const table = `| read | languages and the endings of their files |\n|---|---|\n${[
		"with a grammar",
		"as a format",
		"by lines",
	]
		.map(
			(way) =>
				`| ${way} | ${LANGUAGES.filter((one) => wayOf(one) === way)
					.map(shown)
					.join("; ")} |\n`,
		)
		.join("")}`;
	assert.ok(page.includes(table), `docs/languages.md: replace its table of files by\n${table}`);
});

function wayOf({ id, parser }: Language): string {
	if (parser === undefined || id === "text") return "by lines";
	return "format" in parser ? "as a format" : "with a grammar";
}

function shown({ id, extensions, fileNames = [] }: Language): string {
	const endings = extensions.map((ending) => `.${ending}`);
	return `${id} (${[...endings, ...fileNames].join(", ")})`;
}

test("the page lists what the built-in risk rules are called", () => {
	const names = [...DEFAULT_SOURCES, ...DEFAULT_SINKS].flatMap(({ name, tags }) => [name, ...tags]);
	const categories = DEFAULT_SINKS.map(({ category }) => category);
	const missing = [...names, ...categories].filter((name) => !page.includes(`\`${name}\``));
	assert.deepEqual([...new Set(missing)], []);
});

test("the documented rule file is valid", () => {
	const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
	assert.equal(readRiskRules(example).sinks[0]?.name, "launch");
});
