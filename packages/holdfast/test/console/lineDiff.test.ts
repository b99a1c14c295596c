import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutToChanges, diffLines } from "../../src/console/page/tools/lineDiff.ts";

test("a diff names what went and what came, and keeps the rest", () => {
	assert.deepEqual(
		diffLines("a\nb\nc", "a\nx\nc").map(({ sign, text }) => sign + text),
		[" a", "-b", "+x", " c"],
	);
});

test("both texts can be read back from any diff", () => {
	const text = fc
		.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 30 })
		.map((lines) => lines.join("\n"));
	fc.assert(
		fc.property(text, text, (before, after) => {
			const diff = diffLines(before, after);
			const side = (other: string) =>
				diff
					.filter(({ sign }) => sign !== other)
					.map((line) => line.text)
					.join("\n");
			assert.equal(side("+"), before);
			assert.equal(side("-"), after);
		}),
	);
});

test("nothing is left out of a diff of long texts", () => {
	const long = Array.from({ length: 5_000 }, (_, line) => `line ${line}`);
	assert.deepEqual(
		diffLines(long.join("\n"), [...long, "run this first"].join("\n")).filter(({ sign }) => sign !== " "),
		[{ sign: "+", text: "run this first" }],
	);
	const other = long.map((line) => `another ${line}`);
	const whole = diffLines(long.join("\n"), other.join("\n"));
	assert.deepEqual(
		whole.map(({ sign, text }) => sign + text),
		[...long.map((line) => `-${line}`), ...other.map((line) => `+${line}`)],
	);
});

test("what is far from every change is counted, and no change is", () => {
	const lines = Array.from({ length: 100 }, (_, line) => String(line));
	const shown = (before: string, after: string): readonly string[] =>
		cutToChanges(diffLines(before, after)).map((part) =>
			"unchanged" in part ? `${part.unchanged} unchanged` : part.sign + part.text,
		);
	assert.deepEqual(shown(lines.join("\n"), lines.with(50, "new").with(94, "end").join("\n")), [
		"47 unchanged",
		...[" 47", " 48", " 49", "-50", "+new", " 51", " 52", " 53"],
		"37 unchanged",
		...[" 91", " 92", " 93", "-94", "+end", " 95", " 96", " 97"],
		"2 unchanged",
	]);
	// One line is shown rather than counted.
	assert.deepEqual(shown("a\nb\nc\nd\ne", "a\nb\nc\nd\nx"), [" a", " b", " c", " d", "-e", "+x"]);
	assert.deepEqual(shown("", "a\nb"), ["+a", "+b"]);
});
