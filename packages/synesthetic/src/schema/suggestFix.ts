import { AnswerSize } from "../answerSize.ts";
import type { Assets } from "../assets.ts";
import { applyPatch } from "../diff/applyPatch.ts";
import type { PatchOperation } from "../diff/diffDocuments.ts";
import { isJsonArray, isJsonNumber, isJsonObject, type JsonValue, member } from "../json/jsonValue.ts";
import { parseJson } from "../json/parseJson.ts";
import { pointerStep, valueAt } from "../json/pointer.ts";
import { stringifyJson } from "../json/stringifyJson.ts";
import type { AssetError } from "../results.ts";

export type Suggestion = { readonly patch: PatchOperation[]; readonly remaining: readonly AssetError[] };

// Each trial validates the whole asset, and a hostile asset can have any number of errors.
const MAX_TRIALS = 512;

/**
 * A patch of repairs that lose nothing: a missing property whose schema has a default, a scalar of the wrong type that
 * converts and back, an enum value in another case. Each is kept only if the asset has fewer errors with it.
 */
export function suggestFix(assets: Assets, asset: JsonValue, schema: string): Suggestion {
	const patch: PatchOperation[] = [];
	let current = asset;
	let errors = errorsOf(assets, current, schema);
	let trials = MAX_TRIALS;
	const looked = new AnswerSize();
	const improve = (): boolean => {
		for (const error of errors) {
			for (const operation of candidates(assets, current, error)) {
				if (trials-- <= 0) return false;
				const changed = applyPatch(current, [operation]);
				const left = errorsOf(assets, changed, schema);
				if (!looked.fits(operation.path, ...left.map(({ path }) => path))) return false;
				if (left.length >= errors.length) continue;
				patch.push(operation);
				current = changed;
				errors = left;
				return true;
			}
		}
		return false;
	};
	while (improve());
	return { patch, remaining: errors.map(({ path, msg }) => ({ path, msg })) };
}

function errorsOf(assets: Assets, document: JsonValue, schema: string): readonly AssetError[] {
	const verdict = assets.validateAsset(document, schema, { detailed: true });
	return verdict.ok || verdict.reason !== "validation_failed" ? [] : verdict.errors;
}

function* candidates(
	assets: Assets,
	document: JsonValue,
	{ path, schemaPath = "" }: AssetError,
): Generator<PatchOperation> {
	const value = valueAt(document, path);
	const [label = "", location = ""] = schemaPath.split("#", 2);
	const keyword = location.slice(location.lastIndexOf("/") + 1);
	const source = assets.catalog.documents.find((candidate) => candidate.label === label);
	const rule = source && valueAt(source.root, location.slice(0, location.lastIndexOf("/")));
	if (value === undefined || rule === undefined) return;
	if (keyword === "required" && isJsonObject(value)) yield* missingDefaults(rule, value, path);
	else
		for (const converted of conversions(value, member(rule, "enum"))) yield { op: "replace", path, value: converted };
}

function* missingDefaults(rule: JsonValue, value: JsonValue, path: string): Generator<PatchOperation> {
	const names = member(rule, "required");
	for (const name of isJsonArray(names) ? names : []) {
		if (typeof name !== "string" || member(value, name) !== undefined) continue;
		const property = member(member(rule, "properties"), name);
		const preset = member(property, "default") ?? member(property, "const");
		if (preset !== undefined) yield { op: "add", path: path + pointerStep(name), value: preset };
	}
}

function* conversions(value: JsonValue, choices: JsonValue | undefined): Generator<JsonValue> {
	if (typeof value === "string") {
		if (/^(true|false|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(value)) yield* losslessly(value);
		for (const choice of isJsonArray(choices) ? choices : [])
			if (typeof choice === "string" && choice.toLowerCase() === value.trim().toLowerCase()) yield choice;
	} else if (isJsonNumber(value) || typeof value === "boolean") yield stringifyJson(value);
}

function* losslessly(text: string): Generator<JsonValue> {
	try {
		const parsed = parseJson(text);
		if (stringifyJson(parsed) === text) yield parsed;
	} catch {
		// Looks like a number but is not, such as 007.
	}
}
