import { slotsAt } from "./layout";
import { hasEscapes } from "./marks";
import { endOf, isObject, lengthOf, nextMember, nextOf, SIZE, setTwin, startOf, twinOf } from "./values";

/** Made anew for each process, so that nobody can choose names that all fall on one slot. */
let seed: u64 = 0;

export function setSeed(low: u32, high: u32): void {
	seed = ((<u64>high) << 32) | low;
}

/**
 * Makes twins of the names that two objects share. False when an object repeats a name or spells one with an escape:
 * what such an object means is for a parser to say.
 */
export function pairNames(left: u32, right: u32): bool {
	const mask = clearSlots(countNames(left) + countNames(right));
	if (!enterNames(right, mask)) return false;
	const end = nextOf(left);
	for (let name = left + SIZE; name < end; name = nextMember(name)) {
		if (isEscaped(name)) return false;
		setTwin(name, 0);
		const twin = enter(name, mask);
		if (twin === 0) continue;
		// One that has a twin already, or lies in the same object.
		if (twinOf(twin) !== 0 || (twin > left && twin < end)) return false;
		setTwin(name, twin);
		setTwin(twin, name);
	}
	return true;
}

/** Whether all names of an object are different, and none is spelt with an escape. */
export function hasPlainNames(object: u32): bool {
	return enterNames(object, clearSlots(countNames(object)));
}

/** Whether every object in the value says what it seems to. */
export function isPlain(value: u32): bool {
	const end = nextOf(value);
	for (let at = value; at < end; at += SIZE) if (isObject(at) && !hasPlainNames(at)) return false;
	return true;
}

/** Of the bytes between two addresses. */
export function hashOf(from: u32, to: u32): u32 {
	let sum = seed;
	let at = from;
	for (; at + 8 <= to; at += 8) sum = mix(sum ^ load<u64>(at));
	// There is always more memory behind: what does not belong to the text is shifted out.
	if (at < to) sum = mix(sum ^ (load<u64>(at) << (64 - 8 * (to - at))));
	return <u32>(sum >> 32);
}

/** Whether two values are spelt alike. */
export function sameBytes(a: u32, b: u32): bool {
	const length = lengthOf(a);
	if (length !== lengthOf(b)) return false;
	let left = startOf(a);
	let right = startOf(b);
	const end = left + length;
	for (; left + 8 <= end; left += 8) {
		if (load<u64>(left) !== load<u64>(right)) return false;
		right += 8;
	}
	return left === end || (load<u64>(left) ^ load<u64>(right)) << (64 - 8 * (end - left)) === 0;
}

/** Whether a string holds an escape. */
export function isEscaped(value: u32): bool {
	if (!hasEscapes) return false;
	const end = endOf(value);
	let at = startOf(value);
	for (; at + 16 < end; at += 16) if (backslashes(at) !== 0) return true;
	// There is always more memory behind: what does not belong to the string is shifted out.
	return backslashes(at) << (32 - (end - at)) !== 0;
}

/** Of sixteen bytes, a bit for each. */
function backslashes(at: u32): u32 {
	return i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0x5c)));
}

function countNames(object: u32): u32 {
	let count: u32 = 0;
	const end = nextOf(object);
	for (let name = object + SIZE; name < end; name = nextMember(name)) count += 1;
	return count;
}

/** As many slots as leave half of them empty; the answer is the mask of their numbers. */
function clearSlots(names: u32): u32 {
	let slots: u32 = 4;
	while (slots < 2 * names) slots *= 2;
	memory.fill(slotsAt, 0, 4 * slots);
	return slots - 1;
}

function enterNames(object: u32, mask: u32): bool {
	const end = nextOf(object);
	for (let name = object + SIZE; name < end; name = nextMember(name)) {
		if (isEscaped(name) || enter(name, mask) !== 0) return false;
		setTwin(name, 0);
	}
	return true;
}

/** Enters a name, or finds the one that is spelt like it. */
function enter(name: u32, mask: u32): u32 {
	let slot = slotsAt + 4 * (hash(name) & mask);
	let taken = load<u32>(slot);
	while (taken !== 0 && !sameBytes(taken, name)) {
		slot = slot === slotsAt + 4 * mask ? slotsAt : slot + 4;
		taken = load<u32>(slot);
	}
	if (taken === 0) store<u32>(slot, name);
	return taken;
}

function hash(name: u32): u32 {
	return hashOf(startOf(name), endOf(name));
}

// The golden ratio, which spreads whatever it multiplies.
const SPREAD: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;

function mix(sum: u64): u64 {
	const product = sum * SPREAD;
	return product ^ (product >> 29);
}
