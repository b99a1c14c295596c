import { isEscaped } from "./names";
import {
	ALL,
	ANY,
	ARRAY,
	begin,
	CHOICES,
	ITEMS,
	isSpent,
	kindOf,
	meets,
	meetsAny,
	OBJECT,
	ruleOfMember,
} from "./rules";
import { markOf, nextMember, nextOf, SIZE, setMark } from "./values";

// Marks of a value: no doubt, doubt about the whole value, or about some of its members or items.
const SURE: u32 = 0;
const WHOLE: u32 = 1;
const IN_MEMBERS: u32 = 2;
const IN_ITEMS: u32 = 3;

/** Most values marked as a whole: parsing more pieces than this takes longer than parsing everything. */
const MOST: u32 = 64;
/** Maximum depth of doubts. */
const DEEPEST: u32 = 256;

let doubts: u32 = 0;

/**
 * Marks the parts of a value that may violate a rule, as small as possible; false if there are too many. A value
 * without a mark certainly satisfies every rule that applies to it. As rules use only "and" and "or", errors in the
 * marked parts do not depend on the others.
 */
export function findDoubts(rule: u32, value: u32, name: u32): bool {
	begin(value, name);
	doubts = 0;
	setMark(value, SURE);
	doubt(rule, value, 0);
	return doubts <= MOST;
}

function doubt(rule: u32, value: u32, depth: u32): void {
	if (doubts > MOST || markOf(value) === WHOLE || meets(rule, value)) return;
	const kind = kindOf(value, load<u32>(rule));
	// Choices and alternatives concern a value as a whole.
	const isWhole =
		load<u32>(rule, CHOICES) !== 0 || isSpent() || depth === DEEPEST || !meetsAny(load<u32>(rule, ANY), value);
	if (!isWhole && kind === OBJECT && hasNoEscapedName(value)) doubtMembers(rule, value, depth);
	else if (!isWhole && kind === ARRAY) doubtItems(rule, value, depth);
	else {
		setMark(value, WHOLE);
		doubts += 1;
		return;
	}
	const all = load<u32>(rule, ALL);
	const count: u32 = all === 0 ? 0 : load<u32>(all);
	for (let index: u32 = 1; index <= count; index += 1) doubt(load<u32>(all + 4 * index), value, depth + 1);
}

function doubtMembers(rule: u32, object: u32, depth: u32): void {
	const end = nextOf(object);
	if (markOf(object) === SURE) {
		setMark(object, IN_MEMBERS);
		for (let name = object + SIZE; name < end; name = nextMember(name)) setMark(name + SIZE, SURE);
	}
	for (let name = object + SIZE; name < end; name = nextMember(name))
		doubt(ruleOfMember(rule, object, name), name + SIZE, depth + 1);
}

function doubtItems(rule: u32, array: u32, depth: u32): void {
	const end = nextOf(array);
	if (markOf(array) === SURE) {
		setMark(array, IN_ITEMS);
		for (let item = array + SIZE; item < end; item = nextOf(item)) setMark(item, SURE);
	}
	for (let item = array + SIZE; item < end; item = nextOf(item)) doubt(load<u32>(rule, ITEMS), item, depth + 1);
}

function hasNoEscapedName(object: u32): bool {
	const end = nextOf(object);
	for (let name = object + SIZE; name < end; name = nextMember(name)) if (isEscaped(name)) return false;
	return true;
}
