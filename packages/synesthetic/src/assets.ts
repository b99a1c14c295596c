import { createBackendUrl, populateBackend } from "./backend/populateBackend.ts";
import { type Catalog, type ExampleEntry, findSchemaName, loadCatalog } from "./catalog/catalog.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, readMember } from "./json/jsonValue.ts";
import {
	type AssetError,
	type Failure,
	NOT_FOUND,
	refuseInvalid,
	refuseUnsupported,
	type ToolResult,
} from "./results.ts";
import type { Settings } from "./settings.ts";
import { type TextModule, textModule } from "./text/textModule.ts";
import { describeValue } from "./validate/describe.ts";
import type { Violation } from "./validate/evaluation.ts";
import { readDoubts } from "./validate/rules/doubts.ts";
import type { AssetRule, WrittenRules } from "./validate/rules/surelyValid.ts";
import { type SchemaDocument, SchemaProblem } from "./validate/schemaRegistry.ts";
import { Validator, type Verdict } from "./validate/validator.ts";

const ALIASES: Readonly<Record<string, string>> = { "nested-synesthetic-asset": "synesthetic-asset" };
const EVERYTHING = new Set(["", "*", "all"]);
const LEADING_DOT = /^(?:\.\/)+/;

/** The seven tools of the contract over one catalog. The catalog never changes; only rules made from it are cached. */
export class Assets {
	readonly catalog: Catalog;
	readonly validator: Validator;
	readonly #settings: Settings;
	/** Rules by schema name, and how many of them `newRules` has returned. */
	readonly #rules = new Map<string, AssetRule>();
	#told = 0;

	constructor(settings: Settings, catalog: Catalog = loadCatalog(settings)) {
		this.#settings = settings;
		this.catalog = catalog;
		this.validator = new Validator(catalog.documents);
	}

	listSchemas(): ToolResult {
		const schemas = [...this.catalog.schemas.values()].map(({ name, version, path }) => ({ name, version, path }));
		return { ok: true, schemas };
	}

	getSchema(name: JsonValue | undefined): ToolResult {
		const entry = typeof name === "string" ? this.catalog.schemas.get(name) : undefined;
		return entry === undefined ? NOT_FOUND : { ok: true, schema: entry.schema, version: entry.version };
	}

	listExamples(component: JsonValue | undefined): ToolResult {
		const wanted = component ?? "all";
		if (typeof wanted !== "string") return refuseInvalid(`component: expected a string, got ${describeValue(wanted)}`);
		const all = EVERYTHING.has(wanted.trim());
		const examples = this.catalog.examples.filter((example) => all || example.component === wanted);
		return { ok: true, examples: examples.map((example) => ({ component: example.component, path: example.path })) };
	}

	getExample(path: JsonValue | undefined): ToolResult {
		const entry = this.findExample(path);
		if (entry === undefined) return NOT_FOUND;
		const schema = findSchemaName(
			entry.asset,
			entry.inner.slice(entry.inner.lastIndexOf("/") + 1),
			(name) => this.findSchema(name) !== undefined,
		);
		return { ok: true, example: entry.example, schema, validated: this.validateAsset(entry.asset, schema).ok };
	}

	validateAsset(
		asset: JsonValue | undefined,
		schema: JsonValue | undefined,
		{ detailed = false, tell = detailed ? tellInDetail : inShort }: { detailed?: boolean; tell?: Telling } = {},
	): Failure | { ok: true } {
		if (typeof schema !== "string" || schema === "")
			return refuseInvalid(
				`schema: expected the name of a schema, got ${schema === undefined ? "nothing" : describeValue(schema)}`,
			);
		if (this.findSchema(schema) === undefined)
			return refuseInvalid(`schema: there is none named ${describeValue(schema)}`);
		if (asset === undefined) return refuseInvalid("asset: expected a JSON value, got nothing");
		try {
			const verdict = this.verdictOn(asset, schema);
			return verdict.length === 0
				? { ok: true }
				: { ok: false, reason: "validation_failed", errors: verdict.map(tell) };
		} catch (error) {
			if (error instanceof SchemaProblem)
				return refuseInvalid(`schema ${describeValue(schema)} cannot be used: ${error.message}`);
			throw error;
		}
	}

	/** Everything wrong with an asset. @throws SchemaProblem when there is no such schema, or it cannot be used. */
	verdictOn(asset: JsonValue, schema: string): Verdict {
		const rule = this.findSchema(schema);
		if (rule === undefined) throw new SchemaProblem(`there is none named ${describeValue(schema)}`);
		return this.validator.validate(rule, ignoresReference(schema, rule.root) ? withoutReference(asset) : asset);
	}

	/**
	 * Reads the arguments of `validate_asset` from their text; parses only those parts of the asset that need checking.
	 */
	readDoubts(bytes: Buffer, from: number, to: number): JsonObject | undefined {
		const module = textModule();
		return module && readDoubts(module, bytes, from, to, (schema) => this.#ruleOf(schema, module));
	}

	/** All rules written so far, if any were added since the last call. */
	newRules(): WrittenRules | undefined {
		const memory = this.#rules.size === this.#told ? undefined : textModule()?.ruleMemory;
		this.#told = this.#rules.size;
		return memory && { memory, schemas: [...this.#rules] };
	}

	async populateBackend(
		asset: JsonValue | undefined,
		validateFirst: JsonValue | undefined,
		schema?: JsonValue,
	): Promise<ToolResult> {
		const { backendUrl: base, backendAssetsPath } = this.#settings;
		if (base === undefined) return refuseUnsupported("backend disabled");
		if (asset === undefined) return refuseInvalid("asset: expected a JSON value, got nothing");
		const validate = validateFirst ?? true;
		if (typeof validate !== "boolean")
			return refuseInvalid(`validate_first: expected a boolean, got ${describeValue(validate)}`);
		if (validate) {
			const verdict = this.validateAsset(asset, schema ?? this.#schemaFor(asset));
			if (!verdict.ok) return verdict;
		}
		return populateBackend(asset, createBackendUrl(base, backendAssetsPath));
	}

	findSchema(name: string): SchemaDocument | undefined {
		return this.catalog.rules.get(Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name);
	}

	/** Finds an example by the path that `list_examples` prints or by its path in the folder, with or without `./`. */
	findExample(path: JsonValue | undefined): ExampleEntry | undefined {
		if (typeof path !== "string") return undefined;
		const { examples } = this.catalog;
		const meant = path.replace(LEADING_DOT, "");
		return examples.find((entry) => entry.path === meant) ?? examples.find((entry) => entry.inner === meant);
	}

	#ruleOf(schema: string, module: TextModule): AssetRule | undefined {
		const known = this.#rules.get(schema);
		const document = known === undefined ? this.findSchema(schema) : undefined;
		if (document === undefined) return known;
		const leftOut = ignoresReference(schema, document.root) ? "$schemaRef" : undefined;
		const rule = this.validator.ruleOf(document, module, leftOut);
		if (rule !== undefined) this.#rules.set(schema, rule);
		return rule;
	}

	// An asset that names no schema is taken for a nested asset.
	#schemaFor(asset: JsonValue): string {
		return findSchemaName(asset, "SynestheticAsset.json", (name) => this.findSchema(name) !== undefined);
	}
}

// `$schemaRef` says which schema an asset is for. It is validated with the asset only if the schema itself mentions it.
function ignoresReference(name: string, schema: JsonValue): boolean {
	if (Object.hasOwn(ALIASES, name)) return true;
	if (readMember(readMember(schema, "properties"), "$schemaRef") !== undefined) return false;
	const required = readMember(schema, "required");
	return !isJsonArray(required) || !required.includes("$schemaRef");
}

function withoutReference(asset: JsonValue): JsonValue {
	if (!isJsonObject(asset) || !Object.hasOwn(asset, "$schemaRef")) return asset;
	const { $schemaRef: _, ...rest } = asset;
	return rest;
}

/** The form in which a tool reports a violation. */
export type Telling = (violation: Violation) => AssetError;

export function tellInDetail({ path, msg, schemaPath }: Violation): AssetError {
	return { path, msg, schemaPath };
}

function inShort({ path, msg }: Violation): AssetError {
	return { path, msg };
}
