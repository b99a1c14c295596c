import type { ExactNumber } from "./jsonValue.ts";

/** A JSON number as sign, significant digits (no zero at either end) and power of ten; zero has no digits. */
export type Decimal = { readonly negative: boolean; readonly digits: string; readonly exponent: number };

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

export function decimalOf(value: number | ExactNumber): Decimal {
	const text = typeof value === "number" ? String(value) : value.rawJSON;
	const match = NUMBER.exec(text);
	if (match === null) throw new TypeError(`Expected the text of a JSON number, got ${text}`);
	const [, sign, whole = "", fraction = "", power = "0"] = match;
	const all = (whole + fraction).replace(/^0+/, "");
	const digits = all.replace(/0+$/, "");
	if (digits === "") return { negative: false, digits: "", exponent: 0 };
	return { negative: sign === "-", digits, exponent: Number(power) - fraction.length + (all.length - digits.length) };
}

export function decimalText({ negative, digits, exponent }: Decimal): string {
	return digits === "" ? "0" : `${negative ? "-" : ""}${digits}e${exponent}`;
}

export function compareNumbers(left: number | ExactNumber, right: number | ExactNumber): number {
	if (typeof left === "number" && typeof right === "number") return left - right;
	const a = decimalOf(left);
	const b = decimalOf(right);
	const signs = signOf(a) - signOf(b);
	return signs !== 0 ? signs : a.negative ? compareMagnitudes(b, a) : compareMagnitudes(a, b);
}

export function isInteger(value: number | ExactNumber): boolean {
	return typeof value === "number" ? Number.isInteger(value) : decimalOf(value).exponent >= 0;
}

/** Exact in decimal, so 0.0075 is a multiple of 0.0001 and an exponent of any size costs only its logarithm. */
export function isMultipleOf(value: number | ExactNumber, divisor: number | ExactNumber): boolean {
	if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return Number(value) % Number(divisor) === 0;
	const a = decimalOf(value);
	const b = decimalOf(divisor);
	if (a.digits === "") return true;
	if (b.digits === "") return false;
	const shift = a.exponent - b.exponent;
	const unit = BigInt(b.digits);
	if (shift >= 0) return (BigInt(a.digits) * powerOfTen(shift, unit)) % unit === 0n;
	if (-shift >= a.digits.length + 1) return false;
	return BigInt(a.digits) % (unit * 10n ** BigInt(-shift)) === 0n;
}

function signOf({ negative, digits }: Decimal): number {
	return digits === "" ? 0 : negative ? -1 : 1;
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
	const magnitude = a.digits.length + a.exponent - (b.digits.length + b.exponent);
	if (magnitude !== 0) return magnitude;
	const length = Math.max(a.digits.length, b.digits.length);
	const left = a.digits.padEnd(length, "0");
	const right = b.digits.padEnd(length, "0");
	return left < right ? -1 : left > right ? 1 : 0;
}

function powerOfTen(power: number, modulus: bigint): bigint {
	let result = 1n % modulus;
	let base = 10n % modulus;
	for (let rest = power; rest > 0; rest = Math.floor(rest / 2)) {
		if (rest % 2 === 1) result = (result * base) % modulus;
		base = (base * base) % modulus;
	}
	return result;
}
