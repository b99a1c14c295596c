import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import ignore from "ignore";
import { compileIgnoreRules } from "../../src/discover/ignoreRules.ts";

const rulePart = fc.constantFrom(
	...[
		"*",
		"**",
		"?",
		"/",
		"!",
		"a",
		"B",
		"build",
		".pyc",
		"[oc]",
		"[!x]",
		"\\",
		"#",
		" ",
		"é",
		"~",
		"(",
		"+",
		"$",
		"{a,b}",
	],
);
const rule = fc.array(rulePart, { maxLength: 5 }).map((parts) => parts.join(""));
const name = fc
	.array(fc.constantFrom("a", "B", "b", "build", "BUILD", ".pyc", ".pyo", "é", "~", "#", " ", "(", "+", "$", "x"), {
		minLength: 1,
		maxLength: 3,
	})
	.map((parts) => parts.join(""));
const path = fc
	.tuple(fc.array(name, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "/"))
	.map(([names, end]) => names.join("/") + end);

test("the quick check of a path gives the same verdict as all rules", () => {
	fc.assert(
		fc.property(fc.array(rule, { maxLength: 4 }), path, (rules, tried) => {
			const { ignored, unignored } = ignore({ ignorecase: ["darwin", "win32"].includes(process.platform) })
				.add(rules.join("\n"))
				.test(tried);
			const expected = ignored ? "ignored" : unignored ? "kept" : "silent";
			assert.equal(compileIgnoreRules(rules.join("\n"))(tried), expected);
			assert.equal(compileIgnoreRules(rules)(tried), expected);
		}),
		{ numRuns: 3_000 },
	);
});

test("without rules, no path has a verdict", () => {
	assert.equal(compileIgnoreRules("")("a/b"), "silent");
	assert.equal(compileIgnoreRules("# a comment\n\n")("a/b"), "silent");
});
