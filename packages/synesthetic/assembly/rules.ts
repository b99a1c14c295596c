import { hashOf, isEscaped } from "./names";
import { doubleOf } from "./numbers";
import { endOf, lengthOf, nextMember, nextOf, SIZE, startOf } from "./values";

// A rule encodes a schema in words of four bytes. The first word has the kinds of values it accepts.
/** Minimum and maximum length of strings and arrays. */
const MIN_LENGTH: usize = 4;
const MAX_LENGTH: usize = 8;
const MIN_ITEMS: usize = 12;
const MAX_ITEMS: usize = 16;
/** List of allowed texts. */
export const CHOICES: usize = 20;
/** Rule for array items. */
export const ITEMS: usize = 24;
/** Table of member names, and the rule for members not in it. */
const NAMES: usize = 28;
const OTHERS: usize = 32;
/** Lists for allOf and anyOf. */
export const ALL: usize = 36;
export const ANY: usize = 40;
/** Bit set of required names. */
const REQUIRED: usize = 44;
/** Bounds of numbers, two words each. */
const MINIMUM: usize = 52;
const MAXIMUM: usize = 60;

/** No rule, list or table. */
const NOTHING: u32 = 0;

const NULL: u32 = 1;
const BOOLEAN: u32 = 2;
const STRING: u32 = 4;
const NUMBER: u32 = 8;
const INTEGER: u32 = 16;
export const ARRAY: u32 = 32;
export const OBJECT: u32 = 64;

/** Maximum recursion depth. */
const DEEPEST: u32 = 4_096;
/** Work limit per byte of text, since recursive rules could otherwise run for a very long time. */
const LOOKS: u32 = 16;
const LEAST_EFFORT: u32 = 1 << 16;

let depth: u32 = 0;
/** Remaining work. */
let effort: i32 = 0;
/** The value in which a member with this name is ignored, and the name; 0 if there is none. */
let headed: u32 = 0;
let passedOver: u32 = 0;

/**
 * True when a value certainly satisfies a rule; false means unknown. Whatever would need a parser counts as unsatisfied,
 * which is sound because rules use only "and" and "or". For the same reason all members with one name are checked.
 */
export function surelyMeets(rule: u32, value: u32, name: u32): bool {
	begin(value, name);
	return meets(rule, value);
}

/** Starts checking a value; a member with the given name, if any, is ignored. */
export function begin(value: u32, name: u32): void {
	depth = 0;
	effort = <i32>(LEAST_EFFORT + LOOKS * lengthOf(value));
	headed = value;
	passedOver = name;
}

/** Whether the work limit is used up, so that nothing is certain any more. */
export function isSpent(): bool {
	return effort < 0;
}

/** The hash of a text for the table of names, before masking. */
export function placeOf(text: u32): u32 {
	return hashOf(text + 4, text + 4 + load<u32>(text));
}

export function meets(rule: u32, value: u32): bool {
	if (rule === NOTHING) return true;
	if (depth === DEEPEST || effort < 0) return false;
	depth += 1;
	effort -= nextOf(value) === value + SIZE ? lengthOf(value) : 1;
	const met = isMet(rule, value);
	depth -= 1;
	return met;
}

function isMet(rule: u32, value: u32): bool {
	const kind = kindOf(value, load<u32>(rule));
	if (kind === 0) return false;
	if (load<u32>(rule, CHOICES) !== NOTHING && !isChosen(load<u32>(rule, CHOICES), value)) return false;
	if (!isMetInside(rule, value, kind)) return false;
	return meetsAll(load<u32>(rule, ALL), value) && meetsAny(load<u32>(rule, ANY), value);
}

function isMetInside(rule: u32, value: u32, kind: u32): bool {
	switch (kind) {
		case STRING:
			return lengthMeets(load<u32>(rule, MIN_LENGTH), load<u32>(rule, MAX_LENGTH), value);
		case OBJECT:
			return membersMeet(rule, value);
		case ARRAY:
			return itemsMeet(rule, value);
		case NUMBER:
		case INTEGER:
			return sizeMeets(load<f64>(rule, MINIMUM), load<f64>(rule, MAXIMUM), value);
		default:
			return true;
	}
}

/** The kind of the value if it is among those accepted, else 0. */
export function kindOf(value: u32, taken: u32): u32 {
	switch (load<u8>(startOf(value))) {
		case 0x22:
			return taken & STRING;
		case 0x7b:
			return taken & OBJECT;
		case 0x5b:
			return taken & ARRAY;
		case 0x6e:
			return taken & NULL;
		case 0x74:
		case 0x66:
			return taken & BOOLEAN;
		default:
			if ((taken & NUMBER) !== 0) return NUMBER;
			return (taken & INTEGER) !== 0 && isWhole(value) ? INTEGER : 0;
	}
}

/** Whether a number is written as an integer; others can still have an integer value. */
function isWhole(value: u32): bool {
	const end = endOf(value);
	for (let at = startOf(value) + 1; at < end; at += 1) if (<u32>load<u8>(at) - 0x30 > 9) return false;
	return true;
}

function isChosen(choices: u32, value: u32): bool {
	const end = choices + 4 + 4 * load<u32>(choices);
	for (let choice = choices + 4; choice < end; choice += 4) if (isText(value, load<u32>(choice))) return true;
	return false;
}

function lengthMeets(least: u32, most: u32, value: u32): bool {
	if (least === 0 && most === u32.MAX_VALUE) return true;
	if (isEscaped(value)) return false;
	let count: u32 = 0;
	const end = endOf(value) - 1;
	// All bytes of a character except its first begin with the bits 10.
	for (let at = startOf(value) + 1; at < end; at += 1) if ((load<u8>(at) & 0xc0) !== 0x80) count += 1;
	return count >= least && count <= most;
}

function sizeMeets(least: f64, most: f64, value: u32): bool {
	if (least === -Infinity && most === Infinity) return true;
	const size = doubleOf(value);
	return size >= least && size <= most;
}

function itemsMeet(rule: u32, array: u32): bool {
	const ofItems = load<u32>(rule, ITEMS);
	let count: u32 = 0;
	const end = nextOf(array);
	for (let item = array + SIZE; item < end; item = nextOf(item)) {
		if (!meets(ofItems, item)) return false;
		count += 1;
	}
	effort -= count;
	return count >= load<u32>(rule, MIN_ITEMS) && count <= load<u32>(rule, MAX_ITEMS);
}

function membersMeet(rule: u32, object: u32): bool {
	const names = load<u32>(rule, NAMES);
	const others = load<u32>(rule, OTHERS);
	let missing = load<u64>(rule, REQUIRED);
	if (names === NOTHING && others === NOTHING) return true;
	const end = nextOf(object);
	for (let name = object + SIZE; name < end; name = nextMember(name)) {
		effort -= lengthOf(name);
		if (isEscaped(name)) return false;
		if (isPassedOver(object, name)) continue;
		const slot = names === NOTHING ? NOTHING : slotOf(names, name);
		if (slot !== NOTHING) missing &= ~load<u64>(slot, 8);
		if (!meets(slot === NOTHING ? others : load<u32>(slot, 4), name + SIZE)) return false;
	}
	return missing === 0;
}

/** The rule for a member whose name has no escapes. */
export function ruleOfMember(rule: u32, object: u32, name: u32): u32 {
	if (isPassedOver(object, name)) return NOTHING;
	const names = load<u32>(rule, NAMES);
	const slot = names === NOTHING ? NOTHING : slotOf(names, name);
	return slot === NOTHING ? load<u32>(rule, OTHERS) : load<u32>(slot, 4);
}

function isPassedOver(object: u32, name: u32): bool {
	return object === headed && passedOver !== NOTHING && isText(name, passedOver);
}

/**
 * Finds a name in a table. A slot has four words: the name, the rule for the member, and its bit among the required
 * names.
 */
function slotOf(names: u32, name: u32): u32 {
	const mask = load<u32>(names);
	let place = hashOf(startOf(name), endOf(name)) & mask;
	let slot = names + 4 + 16 * place;
	while (load<u32>(slot) !== NOTHING && !isText(name, load<u32>(slot))) {
		place = (place + 1) & mask;
		slot = names + 4 + 16 * place;
	}
	return load<u32>(slot) === NOTHING ? NOTHING : slot;
}

function meetsAll(rules: u32, value: u32): bool {
	if (rules === NOTHING) return true;
	const end = rules + 4 + 4 * load<u32>(rules);
	for (let rule = rules + 4; rule < end; rule += 4) if (!meets(load<u32>(rule), value)) return false;
	return true;
}

export function meetsAny(rules: u32, value: u32): bool {
	if (rules === NOTHING) return true;
	const end = rules + 4 + 4 * load<u32>(rules);
	for (let rule = rules + 4; rule < end; rule += 4) if (meets(load<u32>(rule), value)) return true;
	return false;
}

/** Whether a value's bytes equal a text, which is stored as its length and its bytes. */
function isText(value: u32, text: u32): bool {
	const length = lengthOf(value);
	if (length !== load<u32>(text)) return false;
	const start = startOf(value);
	let at: u32 = 0;
	for (; at + 8 <= length; at += 8) if (load<u64>(start + at) !== load<u64>(text + 4 + at)) return false;
	for (; at < length; at += 1) if (load<u8>(start + at) !== load<u8>(text + 4 + at)) return false;
	return true;
}
