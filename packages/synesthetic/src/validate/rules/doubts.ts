import type { JsonArray, JsonObject, JsonValue } from "../../json/jsonValue.ts";
import { parseJson } from "../../json/parseJson.ts";
import type { TextModule } from "../../text/textModule.ts";
import { type PartlyKnown, SURE } from "../evaluation.ts";
import { type AssetRule, findRule } from "./surelyValid.ts";

// The marks that `assembly/doubts.ts` writes, and the layout of a value's record.
const WHOLE = 1;
const IN_MEMBERS = 2;
const IN_ITEMS = 3;
const NEXT_WORD = 2;
const MARK_WORD = 3;
const RECORD_WORDS = 4;

/** Returned by `readDoubts` when the whole asset is surely valid. */
export const NO_DOUBT: JsonObject = {};

/**
 * Reads the arguments of `validate_asset` from their text. It parses only the parts of the asset that the rules leave
 * in doubt, usually few, and puts `SURE` in place of the others. Undefined if everything must be parsed.
 */
export function readDoubts(
	module: TextModule,
	bytes: Buffer,
	from: number,
	to: number,
	ruleOf: (schema: string) => AssetRule | undefined,
): JsonObject | undefined {
	if (!module.read(bytes, from, to)) return undefined;
	const found = findRule(module, ruleOf);
	if (found === undefined || !module.findDoubts(found.rule, found.asset, found.leftOut)) return undefined;
	const asset = marked(module, found.asset);
	if (asset === SURE) return NO_DOUBT;
	return membersOf(module, module.root, (value) => (value === found.asset ? asset : whole(module, value)));
}

function marked(module: TextModule, value: number): PartlyKnown {
	switch (module.words[value / 4 + MARK_WORD]) {
		case WHOLE:
			return whole(module, value);
		case IN_MEMBERS:
			return membersOf(module, value, (one) => marked(module, one));
		case IN_ITEMS:
			return itemsOf(module, value);
		default:
			return SURE;
	}
}

function whole(module: TextModule, value: number): JsonValue {
	return parseJson(module.sourceOf(value));
}

function membersOf(module: TextModule, object: number, read: (value: number) => PartlyKnown): JsonObject {
	const members: [string, PartlyKnown][] = [];
	const end = nextOf(module, object);
	for (let name = object + 4 * RECORD_WORDS; name < end; ) {
		const value = name + 4 * RECORD_WORDS;
		// The name has no escapes: an object with an escaped name is marked `WHOLE`.
		members.push([module.sourceOf(name).slice(1, -1), read(value)]);
		name = nextOf(module, value);
	}
	// The validator passes each member to `evaluate`, which accepts `SURE`.
	return Object.fromEntries(members) as JsonObject;
}

function itemsOf(module: TextModule, array: number): JsonArray {
	const items: PartlyKnown[] = [];
	const end = nextOf(module, array);
	for (let item = array + 4 * RECORD_WORDS; item < end; item = nextOf(module, item)) items.push(marked(module, item));
	return items as JsonArray;
}

function nextOf({ words }: TextModule, value: number): number {
	return words[value / 4 + NEXT_WORD] ?? 0;
}
