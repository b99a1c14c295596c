import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { verifies } from "../../../e2e/verifies.ts";
import { Assets } from "../src/assets.ts";
import { useSampleSettings } from "../src/cli/terminal.ts";
import { readSettings } from "../src/settings.ts";
import { folder } from "./folder.ts";

function assertExamplesValid(assets: Assets, atLeast: number): void {
	const nested = assets.catalog.examples.filter(({ component }) => component.startsWith("SynestheticAsset"));
	assert.ok(nested.length >= atLeast, `${nested.length} nested examples`);
	for (const { inner, example } of nested)
		assert.deepEqual(assets.validateAsset(example, "nested-synesthetic-asset"), { ok: true }, inner);
	for (const { inner } of assets.catalog.examples) {
		const result = assets.getExample(inner);
		assert.ok(inner.startsWith("_skip/") || (result.ok && "validated" in result && result.validated === true), inner);
	}
}

verifies(
	"003-9-examples-valid-nested",
	"examples of a submodule validate as nested assets, $schemaRef and all",
	(t) => {
		const schema = { type: "object", properties: { name: { type: "string" } }, additionalProperties: false };
		const base = "libs/synesthetic-schemas";
		const root = folder(t, {
			[`${base}/jsonschema/synesthetic-asset.schema.json`]: schema,
			[`${base}/examples/SynestheticAsset_Example1.json`]: {
				$schemaRef: "jsonschema/synesthetic-asset.schema.json",
				name: "x",
			},
			[`${base}/examples/SynestheticAsset_Example2.json`]: { name: "y" },
		});
		assertExamplesValid(new Assets(readSettings({}, root)), 2);
		assertExamplesValid(new Assets(useSampleSettings(readSettings({}))), 2);
	},
);

const SHARED = resolve(import.meta.dirname, "../../../../shared/cases/synesthetic/data/seed-root");

test("the nine public schemas and their examples agree", {
	skip: existsSync(SHARED) ? false : "the shared data set is not beside the checkout",
}, () => {
	const assets = new Assets(readSettings({}, SHARED));
	assert.equal(assets.catalog.schemas.size, 9);
	assertExamplesValid(assets, 9);
});
