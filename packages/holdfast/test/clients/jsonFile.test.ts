import assert from "node:assert/strict";
import { test } from "node:test";
import { editJsonEntry, readJsonEntries } from "../../src/clients/files/jsonFile.ts";

// What may stand before, between and after the members of a list.
const GAPS = ["", " ", "\n\t\t", "\r\n  ", " // it's {\n", "\n  /* a, b */\n  ", " // one\n// two: http://a.example\n"];

test("whichever entry is taken out, in whatever layout, the others and all comments stay", () => {
	for (const before of GAPS)
		for (const between of GAPS)
			for (const end of ["", ",", ", // last\n", "\n"])
				for (const count of [1, 2, 3]) {
					const names = ["a", "b", "c"].slice(0, count);
					const text = `{"servers":{${before}${names.map((name) => `"${name}":{"command":"//${name}"}`).join(`${between},${between}`)}${between}${end}}}`;
					for (const name of names) {
						const edited = editJsonEntry(text, ["servers"], name, undefined);
						const rest = names.filter((other) => other !== name);
						const expected = Object.fromEntries(rest.map((other) => [other, { command: `//${other}` }]));
						assert.deepEqual(readJsonEntries(edited, ["servers"]), expected, `${name} out of ${text}`);
						assert.deepEqual(comments(edited), comments(text), `${name} out of ${text}`);
					}
				}
});

test("an entry goes with its line, and what belongs to the next stays where it is", () => {
	const taken = (text: string, name: string) => editJsonEntry(text, ["servers"], name, undefined);
	assert.equal(taken(`{\n  "servers": {\n    "a": {},\n  },\n}\n`, "a"), `{\n  "servers": {\n  },\n}\n`);
	assert.equal(
		taken(`{ "servers": {\n  "a": {}, // fast\n  // slow\n  "b": {},\n  // old\n  "c": {}\n}}`, "b"),
		`{ "servers": {\n  "a": {}, // fast\n  // slow\n  // old\n  "c": {}\n}}`,
	);
	assert.equal(
		taken(`{ "servers": {\n  "a": {}, // fast\n  "b": {}\n}}`, "b"),
		`{ "servers": {\n  "a": {} // fast\n}}`,
	);
});

test("an entry is put where there are only comments, and they stay", () => {
	for (const gap of GAPS)
		for (const text of [`{"servers":{${gap}\n}}`, `{\n\t"servers": {${gap}\n\t},\n\t"a": 1\n}`, `{${gap}\n}`]) {
			const edited = editJsonEntry(text, ["servers"], "x", { command: "y" });
			assert.deepEqual(readJsonEntries(edited, ["servers"]), { x: { command: "y" } }, text);
			assert.deepEqual(comments(edited), comments(text), text);
		}
});

function comments(text: string): string[] {
	return (text.replaceAll(/"[^"]*"/g, "").match(/\/\/.*|\/\*.*\*\//g) ?? []).map((comment) => comment.trim());
}
