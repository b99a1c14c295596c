import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffDocuments } from "../../src/diff/diffDocuments.ts";
import { diffText } from "../../src/diff/diffText.ts";
import { isJsonObject, type JsonValue } from "../../src/json/jsonValue.ts";
import { canHaveEscapedName, parseJson, parseSpelt } from "../../src/json/parseJson.ts";
import { stringifyJson, writeCanonicalJson } from "../../src/json/stringifyJson.ts";
import { document, key } from "./documents.ts";

const BEFORE_PATCH = '{"ok":true,"patch":';

/** The params' text as it stands in a frame, with the frame's brace behind it. */
function patchOf(params: string): string | undefined {
	const frame = Buffer.from(`{"params":${params}}`);
	const result = diffText(frame, '{"params":'.length, frame.length - 1, { parsing: true, longest: 1e9 })?.toString();
	if (result === undefined) return undefined;
	assert.ok(result.startsWith(BEFORE_PATCH) && result.endsWith("}"), result);
	return result.slice(BEFORE_PATCH.length, -1);
}

function expected(params: string): string {
	const value = parseJson(params);
	const { base = null, new: next = null } = isJsonObject(value) ? value : {};
	return writeCanonicalJson(parseJson(stringifyJson(diffDocuments(base, next))));
}

function check(params: string): void {
	const patch = patchOf(params);
	if (patch === undefined && canHaveEscapedName(params)) return;
	assert.ok(patch !== undefined, params);
	assert.equal(writeCanonicalJson(parseJson(patch)), expected(params));
}

const spelling = fc.constantFrom<(value: JsonValue) => string>(
	stringifyJson,
	(value) => JSON.stringify(value, null, 2),
	(value) => stringifyJson(value).replace(/[^\0-\x7f]/g, escaped),
	(value) => stringifyJson(value).replace(/"(a|b)"/g, (_, letter: string) => `"${escaped(letter)}"`),
	(value) => stringifyJson(value).replace(/([[,:]\d+)(?=[\],}])/g, "$1.0"),
);

function escaped(letter: string): string {
	return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

test("the patch made from text is the patch made from documents, however both are spelt", () => {
	fc.assert(
		fc.property(document, document, spelling, spelling, (base, next, one, other) =>
			check(`{"base":${one(base)},"new":${other(next)}}`),
		),
		{ numRuns: 2_000 },
	);
	fc.assert(
		fc.property(
			fc.dictionary(key, document, { maxKeys: 6 }),
			fc.dictionary(key, document, { maxKeys: 3 }),
			spelling,
			spelling,
			(base, change, one, other) => check(`{"new":${other({ ...base, ...change })},"base":${one(base)},"more":[1]}`),
		),
		{ numRuns: 1_000 },
	);
});

test("text that is damaged anywhere is either no JSON to both or the same patch to both", () => {
	const damage = fc.record({
		at: fc.nat(),
		byte: fc.constantFrom(...'"\\{}[],:0-+.eEtfnu\n\t x'),
		cut: fc.nat({ max: 3 }),
	});
	fc.assert(
		fc.property(document, document, damage, (base, next, { at, byte, cut }) => {
			const text = JSON.stringify({ base, new: next });
			const from = at % text.length;
			const damaged = (text.slice(0, from) + byte + text.slice(from + cut)).toWellFormed();
			const patch = patchOf(damaged);
			if (patch !== undefined) assert.equal(writeCanonicalJson(parseJson(patch)), expected(damaged));
		}),
		{ numRuns: 1_500 },
	);
});

test("what is not JSON is left to the parser, which says why", () => {
	for (const broken of [
		'"\n"',
		'"\\x"',
		'"\\u12g4"',
		'"',
		"01",
		"1.",
		"-",
		"1e",
		".5",
		"nul",
		"[1,]",
		'{"a":1,}',
		"{1:2}",
		"[1",
	])
		assert.equal(patchOf(`{"base":1,"new":${broken}}`), undefined, broken);
	for (const params of ["[]", "{}", '{"base":1}', '{"base":1,"new":2}}', '{"base":1,"new":2} x'])
		assert.equal(patchOf(params), undefined, params);
});

test("a name that repeats is left to the parser where it decides, and is never passed on", () => {
	assert.equal(patchOf('{"base":{"a":1,"a":2},"new":{"a":1}}'), undefined);
	assert.equal(patchOf('{"base":1,"base":2,"new":3}'), undefined);
	assert.equal(
		patchOf('{"base":1,"new":[{"a":1,"b":0,"a":2}]}'),
		'[{"op":"replace","path":"","value":[{"a":2,"b":0}]}]',
	);
	assert.equal(patchOf('{"base":1,"new":{"a":1,"\\u0061":2}}'), '[{"op":"replace","path":"","value":{"a":2}}]');
});

test("a value is passed on as it was spelt, to the digit", () => {
	const patch = patchOf('{"base":{"n":1},"new":{"n":12345678901234567890.10,"s":"\\/"}}');
	assert.equal(
		patch,
		'[{"op":"replace","path":"/n","value":12345678901234567890.10},{"op":"add","path":"/s","value":"\\/"}]',
	);
	assert.equal(patchOf('{"base":{"n":1,"b":true},"new":{"b":true,"n":1.0}}'), "[]");
	assert.equal(patchOf('{"base":1,"new":{"a" :1}}'), '[{"op":"replace","path":"","value":{"a":1}}]');
	assert.equal(patchOf('{"base":1,"new":{"a":1,"b"\t:1}}'), '[{"op":"replace","path":"","value":{"a":1,"b":1}}]');
	assert.equal(
		patchOf('{ "base" : [1, 2], "new" : [ 1.0 ,\t1e3, { "a b" : " \\" , " } ] }'),
		'[{"op":"replace","path":"","value":[1.0,1e3,{"a b":" \\" , "}]}]',
	);
});

test("the module puts few short operations together itself, and leaves the rest to its caller in the same order", () => {
	const names = Array.from({ length: 66 }, (_, index) => `${"é~/-😀"[index % 5]}${index}`);
	for (const count of [0, 1, 63, 64, 65, 66]) {
		const members = Object.fromEntries(names.slice(0, count).map((name, index) => [name, { [`${index}/`]: [index] }]));
		check(JSON.stringify({ base: {}, new: members }));
		check(JSON.stringify({ base: members, new: {} }));
	}
	const nested = (depth: number, name: string, leaf: unknown): unknown =>
		depth === 0 ? leaf : { [name]: nested(depth - 1, name, leaf) };
	for (const length of [4_000, 8_180, 8_192, 16_380, 16_384, 40_000])
		for (const name of ["n".repeat(length / 4), "~".repeat(length / 8)])
			check(JSON.stringify({ base: nested(4, name, 1), new: nested(4, name, { more: 2 }) }));
});

test("text is read as JSON.parse reads it, wherever its tokens lie", () => {
	const pieces = fc.constantFrom(
		...[
			'"',
			"\\",
			'\\"',
			"\\\\",
			"\\u00e9",
			"\\ud83d",
			"\\x",
			"\t",
			"\u0001",
			"\u0000",
			" ",
			"\u00a0",
			"\ufeff",
			"é",
			"😀",
		],
		...[
			"{",
			"}",
			"[",
			"]",
			",",
			":",
			"{}",
			"[]",
			'""',
			'"a":',
			"true",
			"false",
			"null",
			"nul",
			"True",
			"NaN",
			"Infinity",
		],
		...[
			"0",
			"-0",
			"-",
			"+1",
			"01",
			"1.",
			".5",
			"1.5",
			"1e5",
			"1E+5",
			"1e",
			"1e-",
			"0x1",
			"9".repeat(70),
			"a".repeat(70),
		],
	);
	const text = fc.oneof(
		fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
		fc.array(pieces, { maxLength: 5 }).map((parts) => `[${parts.join(",")}]`),
		fc.array(pieces, { maxLength: 5 }).map((parts) => `"${parts.join("")}"`),
		fc.tuple(fc.json(), fc.nat(), pieces).map(([json, at, piece]) => {
			const from = at % (json.length + 1);
			return json.slice(0, from) + piece + json.slice(from);
		}),
	);
	fc.assert(
		fc.property(text, fc.nat({ max: 130 }), (value, padding) => {
			const written = value.toWellFormed();
			const params = `{"base":"${"-".repeat(padding)}","new":${written}}`;
			const expected = isJson(written);
			// Whatever closes `new` too early, or repeats it, is another matter.
			fc.pre(expected || !isJson(params));
			assert.equal(patchOf(params) !== undefined, expected, params);
		}),
		{ numRuns: 5_000 },
	);
});

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

test("numbers are compared by value, whichever way both are written", () => {
	const number = fc
		.tuple(
			fc.constantFrom("", "-"),
			fc.constantFrom("0", "1", "10", "100"),
			fc.constantFrom("", ".0", ".00", ".1", ".10", ".01", ".010"),
			fc.constantFrom("", "", "", "e0", "E1", "e-1", "e+2"),
		)
		.map((parts) => parts.join(""));
	fc.assert(
		fc.property(number, number, (base, next) => check(`{"base":{"n":${base}},"new":{"n":${next}}}`)),
		{ numRuns: 1_000 },
	);
	assert.equal(patchOf('{"base":[0,-0.0,1.50,10],"new":[-0,0.00,1.5,10.0]}'), "[]");
	assert.equal(patchOf('{"base":[1,"a\\u0062"],"new":[1.0,"ab"]}'), "[]");
});

test("documents of any size are read, unless they nest too deep", () => {
	const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
	assert.equal(patchOf(`{"base":1,"new":${deep(1_023)}}`), `[{"op":"replace","path":"","value":${deep(1_023)}}]`);
	assert.equal(patchOf(`{"base":1,"new":${deep(1_024)}}`), undefined);
	const steps = `${'{"a":'.repeat(1_000)}1${"}".repeat(1_000)}`;
	assert.equal(
		patchOf(`{"base":${steps},"new":${steps.replace("1", "2")}}`),
		`[{"op":"replace","path":"${"/a".repeat(1_000)}","value":2}]`,
	);
	const long = `[${"1,".repeat(500_000)}1]`;
	assert.equal(patchOf(`{"base":1,"new":${long}}`), `[{"op":"replace","path":"","value":${long}}]`);
	assert.equal(patchOf('{"base":1,"new":2}'), '[{"op":"replace","path":"","value":2}]');
});

test("members are paired by name in whatever order, however many", () => {
	const names = Array.from({ length: 40_000 }, (_, i) => `k${i}`);
	const base = Object.fromEntries(names.map((name) => [name, 1]));
	const next = Object.fromEntries([...names.slice(1).reverse(), "l"].map((name) => [name, name === "k7" ? 2 : 1]));
	assert.equal(
		patchOf(JSON.stringify({ base, new: next })),
		'[{"op":"remove","path":"/k0"},{"op":"replace","path":"/k7","value":2},{"op":"add","path":"/l","value":1}]',
	);
});

test("a name that repeats is seen in objects with sorted names, even where names begin with the same letters", () => {
	const sorted = ["", "a", "ab", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghij", "b", "é"];
	for (let length = 1; length <= sorted.length; length += 1) {
		const names = sorted.slice(0, length);
		for (const repeated of names) {
			const members = [...names, repeated].sort().map((name, i) => `"${name}":${i}`);
			const patch = patchOf(`{"base":{},"new":{"x":{${members.join()}}}}`) ?? "";
			assert.equal(patch.split(`"${repeated}":`).length, 2, patch);
		}
	}
});

test("white space of any length between any tokens is passed over", () => {
	const tokens = ['{"base"', ":", "{", '"a"', ":", "[", "1", ",", '" "', "]", "}", ",", '"new"', ":", "{", "}", "}"];
	for (let length = 0; length < 70; length += 1) {
		const space = " \n\r\t".repeat(18).slice(0, length);
		check(tokens.join(space));
	}
	for (let at = 1; at < tokens.length; at += 1) check(tokens.toSpliced(at, 0, " ".repeat(33)).join(""));
});

test("a document left to the parser is passed on as it was spelt, too", () => {
	const params = '{"base":{"\\u0061":1,"b":[1]},"new":{"a":1.0,"b":[1.0,1e2],"c":-0.0}}';
	assert.equal(patchOf(params), undefined);
	const value = parseSpelt(params);
	const { base = null, new: next = null } = isJsonObject(value) ? value : {};
	assert.equal(
		stringifyJson(diffDocuments(base, next)),
		'[{"op":"replace","path":"/b","value":[1.0,1e2]},{"op":"add","path":"/c","value":-0.0}]',
	);
});

test("strings with escapes are compared by what they say, whichever way both are written", () => {
	const spellings = [
		...['"\\n"', '"n"', '"\\\\n"', '"\\u000a"', '"\\u000A"', '"\\u000a0"', '"\\t"', '"\\/"', '"/"', '"\\u002f"'],
		...['"a\\nb"', '"a\\nc"', '"a\\n"', '"a\\nb\\n"', '"é\\n"', '"\\u00e9\\n"', '"è\\n"', '"\\ud83d\\ude00"', '"😀"'],
		...['"\\ud83d"', '"\\ud83d\\ude01"', '"\\\\"', '"\\\\\\\\"', '"\\\\\\n"', '"\\""', '""', '"\\u0022"'],
	];
	for (const base of spellings) for (const next of spellings) check(`{"base":{"a":${base}},"new":{"a":${next}}}`);
});

test("an escape is found wherever it lies in a name or a string, and none behind its end", () => {
	for (let before = 0; before <= 34; before += 1)
		for (const after of [0, 1, 15, 16, 17]) {
			const plain = `"${"n".repeat(before)}n${"n".repeat(after)}"`;
			const spelt = `"${"n".repeat(before)}\\u006e${"n".repeat(after)}"`;
			assert.equal(patchOf(`{"base":{${plain}:1},"new":{${spelt}:1}}`), undefined);
			assert.equal(patchOf(`{"base":{"a":${plain}},"new":{"a":${spelt}}}`), "[]");
			assert.equal(patchOf(`{"base":{${plain}:"\\n"},"new":{${plain}:"\\n"}}`), "[]");
			assert.equal(patchOf(`{"base":{${plain}:"\\n"},"new":{}}`), `[{"op":"remove","path":"/${plain.slice(1)}}]`);
		}
});
