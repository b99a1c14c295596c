import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { verifies } from "../../../../e2e/verifies.ts";
import { isJsonArray, type JsonValue, readMember } from "../../src/json/jsonValue.ts";
import { parseJson } from "../../src/json/parseJson.ts";
import { stringifyJson } from "../../src/json/stringifyJson.ts";
import { TextModule } from "../../src/text/textModule.ts";
import { isSurelyValid } from "../../src/validate/rules/surelyValid.ts";
import { type SchemaDocument, SchemaProblem } from "../../src/validate/schemaRegistry.ts";
import { Validator } from "../../src/validate/validator.ts";
import { deepFrozen } from "../folder.ts";

// A checkout of github.com/json-schema-org/JSON-Schema-Test-Suite; it is not part of this repository.
const ROOT = resolve(import.meta.dirname, "../../../..");
const SUITE = [join(ROOT, ".cache/JSON-Schema-Test-Suite"), join(ROOT, "../shared/JSON-Schema-Test-Suite")].find(
	existsSync,
);
const SKIP = SUITE === undefined ? "put a checkout of JSON-Schema-Test-Suite into .cache/ to run it" : false;

const CODE = readFileSync(new URL("../../dist/text/text.wasm", import.meta.url));

verifies(
	["003-1-draft-2020-12", "003-1-schemas-not-mutated"],
	"the official suite's required draft 2020-12 cases all hold, and no schema is written into",
	() => {
		const failures: string[] = [];
		let cases = 0;
		const remotes = remoteDocuments(join(SUITE ?? "", "remotes"));
		const folder = join(SUITE ?? "", "tests/draft2020-12");
		for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
			for (const group of listOf(parseJson(readFileSync(join(folder, file), "utf8")))) {
				const document = {
					uri: "file:///suite/schema.json",
					label: "schema",
					root: readMember(group, "schema") ?? null,
				};
				const validator = new Validator(deepFrozen([document, ...remotes]));
				const module = new TextModule(CODE);
				for (const one of listOf(readMember(group, "tests"))) {
					cases += 1;
					const data = readMember(one, "data") ?? null;
					const wronglySure = readMember(one, "valid") !== true && surely(validator, document, data, module);
					if (verdict(validator, document, data) !== readMember(one, "valid") || wronglySure)
						failures.push([file, readMember(group, "description"), readMember(one, "description")].join(" | "));
				}
			}
		}
		assert.deepEqual(failures, []);
		assert.ok(cases >= 1_299, `${cases} cases`);
	},
	{ skip: SKIP },
);

function verdict(validator: Validator, document: SchemaDocument, data: JsonValue): boolean | string {
	try {
		return validator.validate(document, data).length === 0;
	} catch (error) {
		if (error instanceof SchemaProblem) return error.message;
		throw error;
	}
}

function surely(validator: Validator, document: SchemaDocument, data: JsonValue, module: TextModule): boolean {
	const bytes = Buffer.from(`{"asset":${stringifyJson(data)},"schema":""}`);
	return isSurelyValid(module, bytes, 0, bytes.length, () => validator.ruleOf(document, module));
}

function remoteDocuments(folder: string): SchemaDocument[] {
	return readdirSync(folder, { recursive: true, encoding: "utf8" })
		.filter((path) => path.endsWith(".json") && !/^(draft(3|4|6|7|2019-09|-next)|v1)\b/.test(path))
		.map((path) => ({
			uri: `http://localhost:1234/${path}`,
			label: path,
			root: parseJson(readFileSync(join(folder, path), "utf8")),
		}));
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
	return isJsonArray(value) ? value : [];
}
