import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Assets } from "../src/assets.ts";
import type { JsonObject, JsonValue } from "../src/json/jsonValue.ts";
import { stringifyJson } from "../src/json/stringifyJson.ts";
import { TOOLS } from "../src/server/tools/tools.ts";
import { readSettings } from "../src/settings.ts";
import { folder } from "./folder.ts";

// Less than a request may hold; an answer with a path for each member would take a hundred megabytes.
const NAME = "n".repeat(100_000);
const members = (value: JsonValue): JsonObject =>
	Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`m${i}`, structuredClone(value)]));
const CUT_OFF = "there is more than an answer can hold";

function ask(t: TestContext, tool: string, args: JsonObject): Record<string, unknown> {
	const numbers = { additionalProperties: { additionalProperties: { type: "number", minimum: 10 } } };
	const assets = new Assets(readSettings({ SYN_SCHEMAS_DIR: "s" }, folder(t, { "s/numbers.schema.json": numbers })));
	const text = stringifyJson(TOOLS.get(tool)?.run(args, assets));
	assert.ok(text.length < 33 * 1024 * 1024, `${text.length} characters`);
	return JSON.parse(text);
}

test("a patch that would be larger than an answer may be is refused", (t) => {
	assert.deepEqual(ask(t, "diff_assets", { base: { [NAME]: {} }, new: { [NAME]: members(1) } }), {
		ok: false,
		reason: "unsupported",
		detail: "the patch is too large: more than 16777216 characters of paths",
	});
});

test("an asset with more errors than an answer can hold is invalid, and the list says that there are more", (t) => {
	const { ok, reason, errors } = ask(t, "validate_asset", { asset: { [NAME]: members("x") }, schema: "numbers" });
	assert.deepEqual([ok, reason], [false, "validation_failed"]);
	assert.ok(Array.isArray(errors) && errors.length > 50);
	assert.deepEqual(errors[0], { path: "", msg: CUT_OFF });
	assert.equal(errors[1].path.length, `/${NAME}/m0`.length);
});

test("repairs are suggested as far as an answer can hold them", (t) => {
	const { ok, fixed } = ask(t, "suggest_fix", { asset: { [NAME]: members("12") }, schema: "numbers" });
	assert.deepEqual([ok, fixed], [true, false]);
});

test("findings about a schema are cut off where an answer can hold no more, and say so", (t) => {
	const { ok, findings } = ask(t, "lint_schema", { schema: { properties: { [NAME]: members(1) } } });
	assert.equal(ok, true);
	assert.ok(Array.isArray(findings));
	assert.deepEqual(findings[0], { severity: "warning", path: "", msg: CUT_OFF });
});

test("reasons against compatibility are cut off where an answer can hold no more, and say so", (t) => {
	const schema = (type: string): JsonObject => ({ properties: { [NAME]: { properties: members({ type }) } } });
	const { compatibility, reasons } = ask(t, "check_compatibility", {
		old_schema: schema("string"),
		new_schema: schema("number"),
	});
	assert.equal(compatibility, "NONE");
	assert.ok(Array.isArray(reasons));
	assert.deepEqual(reasons[0], { breaks: "BACKWARD", path: "", msg: CUT_OFF });
});
