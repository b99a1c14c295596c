import type { ExactNumber } from "./jsonValue.ts";

/**
 * A JSON number of any size as sign, significant digits (no zero at either end) and power of ten. Zero has no digits.
 */
export type Decimal = { readonly negative: boolean; readonly digits: string; readonly exponent: bigint };

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

export function toDecimal(value: number | ExactNumber): Decimal {
	const text = typeof value === "number" ? String(value) : value.rawJSON;
	const match = NUMBER.exec(text);
	if (match === null) throw new TypeError(`Expected the text of a JSON number, got ${text}`);
	const [, sign, whole = "", fraction = "", power = "0"] = match;
	const all = (whole + fraction).replace(/^0+/, "");
	const digits = all.replace(/(?<!0)0+$/, "");
	if (digits === "") return { negative: false, digits: "", exponent: 0n };
	const shift = all.length - digits.length - fraction.length;
	return { negative: sign === "-", digits, exponent: BigInt(power) + BigInt(shift) };
}

export function writeDecimal({ negative, digits, exponent }: Decimal): string {
	return digits === "" ? "0" : `${negative ? "-" : ""}${digits}e${exponent}`;
}

export function compareNumbers(left: number | ExactNumber, right: number | ExactNumber): number {
	if (typeof left === "number" && typeof right === "number") return left - right;
	const a = toDecimal(left);
	const b = toDecimal(right);
	const signs = signOf(a) - signOf(b);
	return signs !== 0 ? signs : a.negative ? compareMagnitudes(b, a) : compareMagnitudes(a, b);
}

export function isInteger(value: number | ExactNumber): boolean {
	return typeof value === "number" ? Number.isInteger(value) : toDecimal(value).exponent >= 0n;
}

/** Exact in decimal, so 0.0075 is a multiple of 0.0001. Never expands an exponent, which may be huge. */
export function isMultipleOf(value: number | ExactNumber, divisor: number | ExactNumber): boolean {
	if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return Number(value) % Number(divisor) === 0;
	const a = toDecimal(value);
	const b = toDecimal(divisor);
	if (a.digits === "") return true;
	if (b.digits === "") return false;
	const shift = a.exponent - b.exponent;
	const unit = BigInt(b.digits);
	if (shift >= 0n) return (BigInt(a.digits) * 10n ** least(shift, factorsOf(b.digits))) % unit === 0n;
	if (-shift > a.digits.length) return false;
	return BigInt(a.digits) % (unit * 10n ** -shift) === 0n;
}

// Trailing zeros add only the factors 2 and 5. More of them than the divisor can contain change nothing.
function factorsOf(digits: string): bigint {
	return BigInt(4 * digits.length);
}

function least(a: bigint, b: bigint): bigint {
	return a < b ? a : b;
}

function signOf({ negative, digits }: Decimal): number {
	return digits === "" ? 0 : negative ? -1 : 1;
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
	const magnitude = a.exponent - b.exponent + BigInt(a.digits.length - b.digits.length);
	if (magnitude !== 0n) return magnitude < 0n ? -1 : 1;
	const length = Math.max(a.digits.length, b.digits.length);
	const left = a.digits.padEnd(length, "0");
	const right = b.digits.padEnd(length, "0");
	return left < right ? -1 : left > right ? 1 : 0;
}
