import { AnswerSize } from "../answerSize.ts";
import type { Assets } from "../assets.ts";
import { applyPatch } from "../diff/applyPatch.ts";
import type { PatchOperation } from "../diff/diffDocuments.ts";
import { isJsonArray, isJsonNumber, isJsonObject, type JsonValue, member } from "../json/jsonValue.ts";
import { parseSpelt } from "../json/parseJson.ts";
import { pointerStep, valueAt } from "../json/pointer.ts";
import { stringifyJson } from "../json/stringifyJson.ts";
import type { AssetError } from "../results.ts";
import type { Violation } from "../validate/evaluation.ts";
import { leavesOf } from "../validate/leaves.ts";

export type Suggestion = { readonly patch: PatchOperation[]; readonly remaining: readonly AssetError[] };

/** Keywords that a value may violate by its type alone. */
const CONVERTIBLE: ReadonlySet<string> = new Set(["type", "enum", "const"]);
// Each trial validates the whole asset, and a hostile asset can have any number of errors.
const MAX_TRIALS = 512;

/**
 * A patch of repairs that lose nothing: a default for a missing property, a scalar converted to the right type if it
 * converts back, an enum value in another case. A repair is kept only if it leaves fewer violations, counting those
 * inside the alternative that a value comes closest to.
 *
 * @throws SchemaProblem
 */
export function suggestFix(assets: Assets, asset: JsonValue, schema: string): Suggestion {
	const patch: PatchOperation[] = [];
	let current = asset;
	let verdict = assets.verdictOn(current, schema);
	let wrong = [...leavesOf(verdict)];
	let trials = MAX_TRIALS;
	const looked = new AnswerSize();
	const improve = (): boolean => {
		for (const leaf of wrong) {
			for (const operation of candidates(assets, current, leaf)) {
				if (trials-- <= 0) return false;
				const changed = applyPatch(current, [operation]);
				const next = assets.verdictOn(changed, schema);
				const left = [...leavesOf(next)];
				if (!looked.fits(operation.path, ...left.map(({ path }) => path))) return false;
				if (left.length >= wrong.length) continue;
				patch.push(operation);
				current = changed;
				verdict = next;
				wrong = left;
				return true;
			}
		}
		return false;
	};
	while (improve());
	return { patch, remaining: verdict.map(({ path, msg }) => ({ path, msg })) };
}

function* candidates(assets: Assets, document: JsonValue, { path, schemaPath }: Violation): Generator<PatchOperation> {
	const value = valueAt(document, path);
	const [label = "", location = ""] = schemaPath.split("#", 2);
	const keyword = location.slice(location.lastIndexOf("/") + 1);
	const source = assets.catalog.documents.find((candidate) => candidate.label === label);
	const rule = source && valueAt(source.root, location.slice(0, location.lastIndexOf("/")));
	if (value === undefined || rule === undefined) return;
	if (keyword === "required" && isJsonObject(value)) yield* missingDefaults(rule, value, path);
	// Another keyword might only stop applying to the converted value: a maximum says nothing about text.
	if (CONVERTIBLE.has(keyword))
		for (const converted of conversions(value, member(rule, "enum"))) yield { op: "replace", path, value: converted };
}

function* missingDefaults(rule: JsonValue, value: JsonValue, path: string): Generator<PatchOperation> {
	const names = member(rule, "required");
	for (const name of isJsonArray(names) ? names : []) {
		if (typeof name !== "string" || member(value, name) !== undefined) continue;
		const property = member(member(rule, "properties"), name);
		for (const preset of [member(property, "default"), member(property, "const")])
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
		const parsed = parseSpelt(text);
		if (stringifyJson(parsed) === text) yield parsed;
	} catch {
		// Looks like a number but is not, such as 007.
	}
}
