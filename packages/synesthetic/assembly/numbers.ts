import { endOf, startOf } from "./values";

/** Whether a number has an exponent, so that its digits alone do not tell its value. */
export function hasExponent(value: u32): bool {
	const end = endOf(value);
	for (let at = startOf(value); at < end; at += 1) if ((load<u8>(at) | 0x20) === 0x65) return true;
	return false;
}

/** Whether two numbers without exponents are equal: 1.50 equals 1.5, and -0 equals 0. */
export function sameNumber(a: u32, b: u32): bool {
	const aEnd = lastDigit(a);
	const bEnd = lastDigit(b);
	let left = firstDigit(a, aEnd);
	let right = firstDigit(b, bEnd);
	if (aEnd - left !== bEnd - right) return false;
	for (; left < aEnd; left += 1) {
		if (load<u8>(left) !== load<u8>(right)) return false;
		right += 1;
	}
	return true;
}

/**
 * Parses a number of up to fifteen digits without an exponent, which a double represents exactly enough; NaN for any
 * other.
 */
export function doubleOf(value: u32): f64 {
	const end = endOf(value);
	let at = startOf(value);
	const isNegative = load<u8>(at) === 0x2d;
	if (isNegative) at += 1;
	let digits: u64 = 0;
	let divisor: u64 = 0;
	let count: u32 = 0;
	for (; at < end; at += 1) {
		const byte = <u32>load<u8>(at);
		if (byte === 0x2e) divisor = 1;
		else if (byte - 0x30 > 9 || count === 15) return NaN;
		else {
			digits = 10 * digits + (byte - 0x30);
			divisor *= 10;
			count += 1;
		}
	}
	// Both are exact, so the quotient is rounded only once.
	const size = <f64>digits / (divisor === 0 ? 1 : <f64>divisor);
	return isNegative ? -size : size;
}

/** The address after the last significant digit. */
function lastDigit(value: u32): u32 {
	const start = startOf(value);
	const end = endOf(value);
	let point = start;
	while (point < end && load<u8>(point) !== 0x2e) point += 1;
	if (point === end) return end;
	let last = end;
	while (load<u8>(last - 1) === 0x30) last -= 1;
	return last - 1 === point ? point : last;
}

/** The address of the number, without the sign of a negative zero. */
function firstDigit(value: u32, end: u32): u32 {
	const start = startOf(value);
	const isNegativeZero = load<u8>(start) === 0x2d && load<u8>(start + 1) === 0x30 && end === start + 2;
	return isNegativeZero ? start + 1 : start;
}
