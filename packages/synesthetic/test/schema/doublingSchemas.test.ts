import assert from "node:assert/strict";
import { test } from "node:test";
import { Assets } from "../../src/assets.ts";
import type { JsonObject, JsonValue } from "../../src/json/jsonValue.ts";
import { TOOLS } from "../../src/server/tools/tools.ts";
import { readSettings } from "../../src/settings.ts";
import { Validator } from "../../src/validate/validator.ts";
import { folder } from "../folder.ts";

type Reference = { readonly $ref: string };

/** Schemas that refer twice to another. */
const TWICE: Readonly<Record<string, (next: Reference) => JsonObject>> = {
	allOf: (next) => ({ allOf: [next, { ...next }] }),
	anyOf: (next) => ({ anyOf: [next, { ...next }] }),
	oneOf: (next) => ({ oneOf: [next, { ...next }] }),
	not: (next) => ({ not: { allOf: [next, { not: { ...next } }] } }),
	// biome-ignore lint/suspicious/noThenProperty: the keyword's name
	"if and then": (next) => ({ if: next, then: { ...next } }),
	"if and else": (next) => ({ if: next, else: { ...next } }),
	dependentSchemas: (next) => ({ dependentSchemas: { a: next, b: { ...next } } }),
	properties: (next) => ({ properties: { a: next, b: { ...next } } }),
	"patternProperties and additionalProperties": (next) => ({
		patternProperties: { a: next },
		additionalProperties: { ...next },
	}),
	"prefixItems and items": (next) => ({ prefixItems: [next], items: { ...next } }),
	"$ref and allOf": (next) => ({ ...next, allOf: [{ ...next }] }),
	"$ref and anyOf": (next) => ({ ...next, anyOf: [{ ...next }] }),
	"$ref and $dynamicRef": (next) => ({ ...next, $dynamicRef: next.$ref }),
	"$dynamicRef to dynamic anchors": (next) => ({ allOf: [dynamic(next), { ...dynamic(next), minLength: 0 }] }),
	"anyOf and unevaluatedProperties": (next) => ({ anyOf: [next, { ...next }], unevaluatedProperties: false }),
	"allOf and unevaluatedProperties": (next) => ({ allOf: [next], unevaluatedProperties: { ...next } }),
};
const LEVELS = 60;

/** At each of the levels twice as much would have to be gone through as at the one before. */
function doubling(twice: (next: Reference) => JsonObject, last: JsonObject, levels = LEVELS): JsonObject {
	const $defs: Record<string, JsonObject> = { [`a${levels}`]: { ...last, $dynamicAnchor: `a${levels}` } };
	for (let i = 0; i < levels; i += 1)
		$defs[`a${i}`] = { ...twice({ $ref: `#/$defs/a${i + 1}` }), $dynamicAnchor: `a${i}` };
	return { $ref: "#/$defs/a0", $defs };
}

function dynamic({ $ref }: Reference): JsonObject {
	return { $dynamicRef: $ref.replace("/$defs/", "") };
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

for (const [how, twice] of Object.entries(TWICE)) {
	test(`a value is judged by ${LEVELS} levels that each lead twice to the next by ${how} as it is by four`, () => {
		const isValid = (value: JsonValue, last: JsonObject, levels: number): boolean => {
			const document = { uri: "file:///a.json", label: "a", root: doubling(twice, last, levels) };
			return new Validator([document]).validate(document, value).length === 0;
		};
		for (const value of [1, "a", [1, [2]], { a: 1, b: { a: "" } }])
			for (const type of ["string", "array", "object"])
				assert.equal(isValid(value, { type }, LEVELS), isValid(value, { type }, 4), JSON.stringify({ value, type }));
	});
}

test("a long chain of references ends where it leads, however many there are", (t) => {
	const assets = new Assets(readSettings({}, folder(t, {})));
	const old_schema = doubling((next) => next, { type: "integer" });
	const new_schema = { type: "number" };
	assert.deepEqual(TOOLS.get("check_compatibility")?.run({ old_schema, new_schema }, assets), {
		ok: true,
		compatibility: "BACKWARD",
		reasons: [{ breaks: "FORWARD", path: "", msg: "number was not allowed before" }],
	});
});
