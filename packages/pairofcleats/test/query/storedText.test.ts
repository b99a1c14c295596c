import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type StoredText, storeText } from "../../src/query/fileTexts.ts";

function stored(text: string): StoredText {
	return storeText(Buffer.from(text), (bytes) => new Uint8Array(bytes));
}

const piece = fc.constantFrom("\n", "\n\n", "a", "line of text", "é", "→", "𝒳", "\r\n", "ÿ", "\u010a", "\u0a0d");
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

test("any slice of a stored text equals the slice of the text", () => {
	fc.assert(
		fc.property(text, fc.nat(60), fc.nat(60), (whole, from, to) => {
			const places = [Math.min(from, to), Math.max(from, to)] as const;
			assert.equal(stored(whole).length, whole.length);
			assert.equal(stored(whole).slice(), whole);
			assert.equal(stored(whole).slice(...places), whole.slice(...places));
		}),
	);
});

test("the whole lines around an offset are found", () => {
	fc.assert(
		fc.property(text, fc.nat(60), fc.nat(4), (whole, at, lines) => {
			const place = Math.min(at, whole.length);
			const above = whole
				.slice(0, place)
				.split("\n")
				.slice(-1 - lines)
				.join("\n");
			const below = whole
				.slice(place)
				.split(/(?<=\n)/)
				.slice(0, 1 + lines)
				.join("");
			assert.equal(stored(whole).lineAbove(place, lines), place - above.length);
			assert.equal(stored(whole).lineBelow(place, lines), place + below.length);
		}),
	);
});
