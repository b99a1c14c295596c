import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { languageFactsTable } from "../../src/parse/languageFactsTable.ts";
import { readRiskRules } from "../../src/parse/risk/readRiskRules.ts";

const page = readFileSync(new URL("../../../../docs/languages.md", import.meta.url), "utf8");

test("the documented table of facts is the one the code has", () => {
	assert.ok(
		page.includes(languageFactsTable()),
		"docs/languages.md: replace its table by what languageFactsTable() returns",
	);
});

test("the documented rule file is valid", () => {
	const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
	assert.equal(readRiskRules(example).sinks[0]?.name, "launch");
});
