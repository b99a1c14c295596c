import { slotsAt } from "./layout";
import { hasEscapes } from "./strings";
import { endOf, isObject, lengthOf, nextMember, nextOf, SIZE, setTwin, startOf, twinOf } from "./values";

/** Random per process, so that nobody can choose names that all collide. */
let seed: u64 = 0;

export function setSeed(low: u32, high: u32): void {
	seed = ((<u64>high) << 32) | low;
}

/**
 * Links the names that two objects share as twins. False if an object repeats a name or has one with an escape, since
 * only a parser can tell what such an object means.
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
		// It already has a twin, or is in the same object: a repeated name.
		if (twinOf(twin) !== 0 || (twin > left && twin < end)) return false;
		setTwin(name, twin);
		setTwin(twin, name);
	}
	return true;
}

/** Whether an object's names are unique and without escapes. */
export function hasPlainNames(object: u32): bool {
	return areAscending(object) || enterNames(object, clearSlots(countNames(object)));
}

/** Whether every object in the value has unique names without escapes. */
export function isPlain(value: u32): bool {
	const end = nextOf(value);
	for (let at = value; at < end; at += SIZE) if (isObject(at) && !hasPlainNames(at)) return false;
	return true;
}

/** Hash of the bytes between two addresses. */
export function hashOf(from: u32, to: u32): u32 {
	let sum = seed;
	let at = from;
	for (; at + 8 <= to; at += 8) sum = mix(sum ^ load<u64>(at));
	// Reading past the end is safe; the bytes that do not belong are shifted out.
	if (at < to) sum = mix(sum ^ (load<u64>(at) << (64 - 8 * (to - at))));
	return <u32>(sum >> 32);
}

/** Whether two values are byte-identical. */
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

/** Whether a string contains an escape. */
export function isEscaped(value: u32): bool {
	if (!hasEscapes) return false;
	const end = endOf(value);
	let at = startOf(value);
	for (; at + 16 < end; at += 16) if (backslashes(at) !== 0) return true;
	// Reading past the end is safe; the bytes that do not belong are shifted out.
	return backslashes(at) << (32 - (end - at)) !== 0;
}

/** A bit for each backslash in sixteen bytes. */
function backslashes(at: u32): u32 {
	return i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0x5c)));
}

/** Whether no name has an escape and each is greater than the one before by its first bytes, so that no two are equal. */
function areAscending(object: u32): bool {
	const end = nextOf(object);
	let last: u64 = 0;
	for (let name = object + SIZE; name < end; name = nextMember(name)) {
		const first = firstBytes(name);
		if (first <= last || isEscaped(name)) return false;
		last = first;
	}
	return true;
}

const REVERSED: v128 = i8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);

/** The first eight bytes of a name after its opening quote, as a number that orders names as their bytes do. */
function firstBytes(name: u32): u64 {
	const length = lengthOf(name) - 1;
	const bytes = <u64>i64x2.extract_lane(i8x16.swizzle(v128.load64_zero(startOf(name) + 1), REVERSED), 0);
	// Reading past the end is safe; the bytes that do not belong are cleared.
	return length >= 8 ? bytes : bytes & ~(<u64>-1 >> (8 * length));
}

function countNames(object: u32): u32 {
	let count: u32 = 0;
	const end = nextOf(object);
	for (let name = object + SIZE; name < end; name = nextMember(name)) count += 1;
	return count;
}

/** Clears enough slots to leave half of them empty; returns the bit mask for slot numbers. */
function clearSlots(names: u32): u32 {
	let slots: u32 = 4;
	while (slots < 2 * names) slots *= 2;
	// Filling so little memory by instruction is slower.
	for (let slot = slotsAt; slot < slotsAt + 4 * slots; slot += 16) v128.store(slot, i64x2.splat(0));
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

/** Adds a name, or returns the existing one with the same bytes. */
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

// The golden ratio, which distributes products evenly (Fibonacci hashing).
const SPREAD: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;

function mix(sum: u64): u64 {
	const product = sum * SPREAD;
	return product ^ (product >> 29);
}
