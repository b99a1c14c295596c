import assert from "node:assert/strict";
import { test } from "node:test";
import { Assets } from "../../src/assets.ts";
import type { JsonObject } from "../../src/json/jsonValue.ts";
import { TOOLS } from "../../src/server/tools.ts";
import { readSettings } from "../../src/settings.ts";
import { folder } from "../folder.ts";

type Reference = { readonly $ref: string };

/** Schemas that refer twice to another. */
const TWICE: Readonly<Record<string, (next: Reference) => JsonObject>> = {
	allOf: (next) => ({ allOf: [next, { ...next }] }),
	anyOf: (next) => ({ anyOf: [next, { ...next }] }),
	oneOf: (next) => ({ oneOf: [next, { ...next }] }),
	not: (next) => ({ not: { allOf: [next, { not: { ...next } }] } }),
	"if and else": (next) => ({ if: next, else: { ...next } }),
	properties: (next) => ({ properties: { a: next, b: { ...next } } }),
	"patternProperties and additionalProperties": (next) => ({
		patternProperties: { a: next },
		additionalProperties: { ...next },
	}),
	"prefixItems and items": (next) => ({ prefixItems: [next], items: { ...next } }),
	"$ref and allOf": (next) => ({ ...next, allOf: [{ ...next }] }),
	"$ref and anyOf": (next) => ({ ...next, anyOf: [{ ...next }] }),
	"$ref and $dynamicRef": (next) => ({ ...next, $dynamicRef: next.$ref }),
	"allOf and unevaluatedProperties": (next) => ({ allOf: [next], unevaluatedProperties: { ...next } }),
};
const LEVELS = 60;

/** At each of the levels twice as much would have to be gone through as at the one before. */
function doubling(twice: (next: Reference) => JsonObject, last: JsonObject): JsonObject {
	const $defs: Record<string, JsonObject> = { [`a${LEVELS}`]: last };
	for (let i = 0; i < LEVELS; i += 1) $defs[`a${i}`] = twice({ $ref: `#/$defs/a${i + 1}` });
	return { $ref: "#/$defs/a0", $defs };
}

for (const [how, twice] of Object.entries(TWICE)) {
	test(`${LEVELS} levels that each refer twice to the next by ${how} are linted, bundled and compared`, (t) => {
		const assets = new Assets(readSettings({}, folder(t, {})));
		const run = (tool: string, args: JsonObject): unknown => TOOLS.get(tool)?.run(args, assets);
		const schema = doubling(twice, { type: "object" });
		assert.deepEqual(run("lint_schema", { schema }), { ok: true, valid: true, findings: [] });
		const bundled = run("bundle_schema", { schema }) as { readonly schema: JsonObject };
		assert.deepEqual(bundled.schema.$defs, schema.$defs);
		const same = { old_schema: schema, new_schema: structuredClone(schema) };
		assert.deepEqual(run("check_compatibility", same), { ok: true, compatibility: "FULL", reasons: [] });
		const other = { old_schema: schema, new_schema: doubling(twice, { type: "string" }) };
		assert.match(
			JSON.stringify(run("check_compatibility", other)),
			/^\{"ok":true,"compatibility":"NONE","reasons":\[\{/,
		);
	});
}

test("a long chain of references ends where it leads, however many there are", (t) => {
	const assets = new Assets(readSettings({}, folder(t, {})));
	const old_schema = doubling((next) => next, { type: "integer" });
	const new_schema = { type: "number" };
	assert.deepEqual(TOOLS.get("check_compatibility")?.run({ old_schema, new_schema }, assets), {
		ok: true,
		compatibility: "BACKWARD",
		reasons: [{ breaks: "FORWARD", path: "", msg: "number is not allowed any more" }],
	});
});
