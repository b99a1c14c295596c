import type { JsonObject, JsonValue } from "../json/jsonValue.ts";
import { parseJson } from "../json/parseJson.ts";
import type { TextModule } from "../text/textModule.ts";
import { SURE } from "./evaluation.ts";
import { type AssetRule, ruleIn } from "./surelyValid.ts";

// The marks of `assembly/doubts.ts`, and which word of a value's record holds what.
const WHOLE = 1;
const IN_MEMBERS = 2;
const IN_ITEMS = 3;
const NEXT_WORD = 2;
const MARK_WORD = 3;
const RECORD_WORDS = 4;

/** Says that the asset is surely valid. */
export const NO_DOUBT: JsonObject = {};

/**
 * The arguments of `validate_asset` from their text, with `SURE` in place of all that is surely valid in the asset. Only the
 * rest is parsed: little of an asset is wrong. Undefined where everything must be.
 */
export function readDoubts(
	module: TextModule,
	bytes: Buffer,
	from: number,
	to: number,
	ruleOf: (schema: string) => AssetRule | undefined,
): JsonObject | undefined {
	if (!module.read(bytes, from, to)) return undefined;
	const found = ruleIn(module, ruleOf);
	if (found === undefined || !module.findDoubts(found.rule, found.asset, found.leftOut)) return undefined;
	const asset = marked(module, found.asset);
	if (asset === SURE) return NO_DOUBT;
	return membersOf(module, module.root, (value) => (value === found.asset ? asset : whole(module, value)));
}

function marked(module: TextModule, value: number): JsonValue {
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

function membersOf(module: TextModule, object: number, read: (value: number) => JsonValue): JsonObject {
	const members: [string, JsonValue][] = [];
	const end = nextOf(module, object);
	for (let name = object + 4 * RECORD_WORDS; name < end; ) {
		const value = name + 4 * RECORD_WORDS;
		// No name holds an escape: the object would be marked as a whole.
		members.push([module.sourceOf(name).slice(1, -1), read(value)]);
		name = nextOf(module, value);
	}
	return Object.fromEntries(members);
}

function itemsOf(module: TextModule, array: number): JsonValue[] {
	const items: JsonValue[] = [];
	const end = nextOf(module, array);
	for (let item = array + 4 * RECORD_WORDS; item < end; item = nextOf(module, item)) items.push(marked(module, item));
	return items;
}

function nextOf({ words }: TextModule, value: number): number {
	return words[value / 4 + NEXT_WORD] ?? 0;
}
