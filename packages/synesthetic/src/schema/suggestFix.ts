import type { Assets } from "../assets.ts";
import { applyPatch } from "../diff/applyPatch.ts";
import type { PatchOperation } from "../diff/diffDocuments.ts";
import {
	isJsonArray,
	isJsonNumber,
	isJsonObject,
	type JsonArray,
	type JsonValue,
	readMember,
} from "../json/jsonValue.ts";
import { parseSpelt } from "../json/parseJson.ts";
import { findValue, writePointerStep } from "../json/pointer.ts";
import { stringifyJson } from "../json/stringifyJson.ts";
import { AnswerSize, type AssetError, CUT_OFF } from "../results.ts";
import type { Violation } from "../validate/evaluation.ts";
import { listLeaves } from "../validate/keywords/noneOf.ts";
import type { SchemaDocument } from "../validate/schemaRegistry.ts";
import type { Verdict } from "../validate/validator.ts";

export type Suggestion = { readonly patch: PatchOperation[]; readonly remaining: readonly AssetError[] };

// Each trial validates the whole asset, and the host waits 20 seconds for an answer.
const ALLOWED_MS = 5_000;

/**
 * A patch of repairs that lose nothing: a default for a missing property, a scalar converted to the right type if it
 * converts back, an enum value in another case. A repair is kept only if it leaves fewer violations, counting those
 * inside the alternative that a value comes closest to. When the time is up, what was found by then is suggested.
 *
 * @throws SchemaProblem
 */
export function suggestFix(
	assets: Assets,
	asset: JsonValue,
	schema: string,
	allowedMs: number = ALLOWED_MS,
): Suggestion {
	const { patch, verdict } = new Repairs(assets, asset, schema, allowedMs);
	return { patch, remaining: verdict.map(({ path, msg }) => ({ path, msg })) };
}

class Repairs {
	readonly patch: PatchOperation[] = [];
	verdict: Verdict;
	readonly #assets: Assets;
	readonly #schema: string;
	readonly #until: number;
	#asset: JsonValue;
	#wrong: readonly Violation[];

	constructor(assets: Assets, asset: JsonValue, schema: string, allowedMs: number) {
		this.#until = performance.now() + allowedMs;
		this.#assets = assets;
		this.#schema = schema;
		this.#asset = asset;
		this.verdict = assets.verdictOn(asset, schema);
		this.#wrong = leavesIn(this.verdict) ?? [];
		this.#improve();
	}

	/** Tries the likeliest repair of each place, then the next likeliest, and again from the start after a success. */
	#improve(): void {
		let rank = 0;
		for (let batch = this.#batch(rank); batch.length > 0; batch = this.#batch(rank))
			rank = this.#repair(batch) ? 0 : rank + 1;
	}

	#batch(rank: number): PatchOperation[] {
		const ranked = new Map<string, PatchOperation[]>();
		const looked = new Set<string>();
		for (const leaf of this.#wrong) {
			if (this.#isOver()) return [];
			// Each missing property is a violation of its own, but the first leads to the candidates for all.
			if (looked.has(keyOf(leaf))) continue;
			looked.add(keyOf(leaf));
			for (const operation of candidates(this.#assets, this.#asset, leaf))
				ranked.set(operation.path, [...(ranked.get(operation.path) ?? []), operation]);
		}
		return [...ranked.values()].flatMap((operations) => operations.slice(rank, rank + 1));
	}

	/** Keeps all operations if they help together, else those of each half that do. */
	#repair(batch: readonly PatchOperation[]): boolean {
		if (this.#isOver()) return false;
		if (this.#keep(batch)) return true;
		if (batch.length === 1) return false;
		const middle = batch.length >> 1;
		const halves = [batch.slice(0, middle), batch.slice(middle)];
		return halves.map((half) => this.#repair(half)).includes(true);
	}

	#keep(batch: readonly PatchOperation[]): boolean {
		const asset = applyPatch(this.#asset, batch);
		const verdict = this.#assets.verdictOn(asset, this.#schema);
		const wrong = leavesIn(verdict);
		if (wrong === undefined || wrong.length > this.#wrong.length - batch.length) return false;
		// One operation must not hide behind another that repairs more.
		if (batch.length > 1 && !isPartOf(wrong, this.#wrong)) return false;
		for (const operation of batch) this.patch.push(operation);
		this.#asset = asset;
		this.verdict = verdict;
		this.#wrong = wrong;
		return true;
	}

	#isOver(): boolean {
		return performance.now() >= this.#until;
	}
}

/** The violations that repairs are for; undefined if there are more than can be compared. */
function leavesIn(verdict: Verdict): Violation[] | undefined {
	if (verdict.some(({ msg }) => msg === CUT_OFF)) return undefined;
	const leaves: Violation[] = [];
	const size = new AnswerSize();
	for (const leaf of listLeaves(verdict)) {
		if (!size.fits(leaf.path)) return undefined;
		leaves.push(leaf);
	}
	return leaves;
}

function isPartOf(some: readonly Violation[], all: readonly Violation[]): boolean {
	const known = new Set(all.map(keyOf));
	return some.every((violation) => known.has(keyOf(violation)));
}

function keyOf({ path, schemaPath }: Violation): string {
	return `${schemaPath} ${path}`;
}

/** Keywords that a value may violate by its type alone. */
const CONVERTIBLE: ReadonlySet<string> = new Set(["type", "enum", "const"]);

function* candidates(assets: Assets, document: JsonValue, { path, schemaPath }: Violation): Generator<PatchOperation> {
	const value = findValue(document, path);
	// Names of files and of members may contain a hash.
	const source = assets.catalog.documents.find(({ label }) => schemaPath.startsWith(`${label}#/`));
	if (value === undefined || source === undefined) return;
	const location = schemaPath.slice(source.label.length + 1);
	const keyword = location.slice(location.lastIndexOf("/") + 1);
	const rule = findValue(source.root, location.slice(0, location.lastIndexOf("/")));
	if (rule === undefined) return;
	if (keyword === "required" && isJsonObject(value))
		for (const [name, preset] of missingDefaults(rule, value, (schema) => targetOf(schema, source, assets)))
			yield { op: "add", path: path + writePointerStep(name), value: preset };
	// Another keyword might only stop applying to the converted value: a maximum says nothing about text.
	if (CONVERTIBLE.has(keyword))
		for (const converted of conversions(value, readMember(rule, "enum")))
			yield { op: "replace", path, value: converted };
}

function targetOf(schema: JsonValue, source: SchemaDocument, { validator }: Assets): JsonValue | undefined {
	const ref = readMember(schema, "$ref");
	return typeof ref === "string" ? validator.find(source, ref, schema)?.schema : undefined;
}

function* missingDefaults(
	rule: JsonValue,
	value: JsonValue,
	follow: (schema: JsonValue) => JsonValue | undefined,
): Generator<[name: string, preset: JsonValue]> {
	const names = readMember(rule, "required");
	for (const name of isJsonArray(names) ? names : []) {
		if (typeof name !== "string" || readMember(value, name) !== undefined) continue;
		const passed = new Set<JsonValue>();
		let property = readMember(readMember(rule, "properties"), name);
		for (; property !== undefined && !passed.has(property); property = follow(property)) {
			passed.add(property);
			for (const preset of [readMember(property, "default"), readMember(property, "const")])
				if (preset !== undefined) yield [name, preset];
		}
	}
}

function* conversions(value: JsonValue, choices: JsonValue | undefined): Generator<JsonValue> {
	if (typeof value === "string") {
		if (/^(true|false|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(value)) yield* losslessly(value);
		yield* meantChoice(value.trim(), isJsonArray(choices) ? choices : []);
	} else if (isJsonNumber(value) || typeof value === "boolean") yield stringifyJson(value);
}

/** The choice that is the text, or the only one that is the text in another case. */
function* meantChoice(text: string, choices: JsonArray): Generator<JsonValue> {
	const alike = choices.filter((choice) => typeof choice === "string" && choice.toLowerCase() === text.toLowerCase());
	const [first = ""] = alike;
	if (alike.includes(text)) yield text;
	else if (alike.length === 1) yield first;
}

function* losslessly(text: string): Generator<JsonValue> {
	try {
		const parsed = parseSpelt(text);
		if (stringifyJson(parsed) === text) yield parsed;
	} catch {
		// Looks like a number but is not, such as 007.
	}
}
