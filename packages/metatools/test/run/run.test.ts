import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import { ToolError } from "../../src/contract/errors.ts";
import { LOCAL_VIEWER } from "../../src/run/access.ts";
import { type Page, pageOf, ResultStore } from "../../src/run/resultStore.ts";
import { describeProblem } from "../../src/run/schema/problemText.ts";
import * as checks from "../../src/run/schema/schemaCheck.ts";
import { isTimeout, runWithinCpuMs } from "../../src/run/schema/schemaCheck.ts";
import { readToolResult } from "../../src/run/toolResult.ts";

const checkOf = (schema: unknown) => texts(checks.compileCheck(schema));
const argumentsCheckOf = (schema: unknown) => texts(checks.compileArgumentsCheck(schema));
const texts = (check: checks.Check) => (value: unknown, root: string) =>
	check(value).map((problem) => describeProblem(problem, root));

test("messages name the place, what was expected and what came", () => {
	const check = checkOf({
		type: "object",
		properties: { a: { type: "array", items: { enum: ["x", "y"] } }, n: { minimum: 3 } },
		required: ["a"],
		additionalProperties: false,
	});
	assert.deepEqual(check({ a: ["x"] }, "args"), []);
	assert.deepEqual(check({}, "args"), ["args/a: expected a value, got none"]);
	const choice = checkOf({ properties: { level: { enum: ["low", "high"] } }, required: ["level"] });
	assert.deepEqual(choice({}, "args"), ['args/level: expected one of ["low","high"], got none']);
	assert.deepEqual(check({ a: ["z"] }, "args"), ['args/a/0: expected one of ["x","y"], got "z"']);
	assert.deepEqual(check({ a: [], b: 1 }, "args"), ["args/b: expected no such field, got one; there are a, n"]);
	assert.deepEqual(check({ a: [], n: 2 }, "args"), ["args/n: expected 3 or more, got 2"]);
	assert.deepEqual(check([], "args"), ["args: expected object, got array []"]);
});

test("everything that is wrong inside objects and lists is said at once too", () => {
	const edit = {
		type: "object",
		properties: { oldText: { type: "string" }, newText: { type: "string" } },
		required: ["oldText", "newText"],
		additionalProperties: false,
	};
	const check = checkOf({
		type: "object",
		properties: {
			edits: { type: "array", items: edit },
			path: { type: "string" },
			as: { anyOf: [edit, { type: "null" }] },
		},
		required: ["path"],
	});
	assert.deepEqual(
		check({ edits: [{ old: "a" }, { oldText: 1, newText: "b" }], as: { oldText: 2, newText: 3 } }, "args"),
		[
			"args/path: expected a value, got none",
			"args/edits/0/oldText: expected a value, got none",
			"args/edits/0/newText: expected a value, got none",
			"args/edits/0/old: expected no such field, got one; did you mean oldText?",
			"args/edits/1/oldText: expected string, got number 1",
			"args/as/oldText: expected string, got number 2",
			"args/as/newText: expected string, got number 3",
		],
	);
	const many = Array.from({ length: 10_000 }, () => ({ oldText: 1, newText: 2 }));
	assert.deepEqual(check({ path: "", edits: many }, "args"), ["args/edits/0/oldText: expected string, got number 1"]);
});

test("everything that is wrong is said at once, each field with its first fault", () => {
	const check = checkOf({
		type: "object",
		properties: {
			path: { type: "string" },
			limit: { type: "integer", maximum: 10 },
			mode: { enum: ["a", "b"] },
			"a/b": { type: "boolean" },
			size: { type: "object", properties: { w: { type: "number" } }, additionalProperties: false },
		},
		required: ["path", "limit"],
		additionalProperties: false,
	});
	assert.deepEqual(check({ file: "x", limit: "5", mode: "c", max: 1, "a/b": 0, size: { h: 1 } }, "args"), [
		"args/path: expected a value, got none",
		"args/file: expected no such field, got one; there are path, limit, mode, a/b, size",
		"args/max: expected no such field, got one",
		'args/limit: expected integer, got string "5"',
		'args/mode: expected one of ["a","b"], got "c"',
		"args/a~1b: expected boolean, got number 0",
		"args/size/h: expected no such field, got one; there are w",
	]);
	assert.deepEqual(check({ path: "", limits: 1, pat: 2, other: 3 }, "args"), [
		"args/limit: expected a value, got none",
		"args/limits: expected no such field, got one; did you mean limit?",
		// Not path, which is given.
		"args/pat: expected no such field, got one; there are path, limit, mode, a/b, size",
		"args/other: expected no such field, got one",
	]);
	assert.deepEqual(check({ path: 1, limit: 11 }, "args"), [
		"args/path: expected string, got number 1",
		"args/limit: expected 10 or less, got 11",
	]);
	const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`x${n}`, n]));
	assert.equal(check({ path: "", limit: 1, ...many }, "args").length, 8, "but not without end");
});

test("no rule about several fields is called broken because one of them is wrong", () => {
	const properties = { a: { type: "string" }, b: { type: "string" }, c: { type: "string" } };
	const wrong = { a: 1, b: 2 };
	const lines = ["args/a: expected string, got number 1", "args/b: expected string, got number 2"];
	for (const rule of [
		{ anyOf: [{ required: ["a"] }, { required: ["c"] }] },
		{ allOf: [{ required: ["a", "b"] }] },
		{ dependentRequired: { b: ["a"] } },
		{ minProperties: 2 },
	]) {
		const said = checkOf({ type: "object", properties, ...rule })(wrong, "args");
		for (const line of said) assert(lines.includes(line), `${JSON.stringify(rule)}: ${line}`);
		assert(said.length > 0);
	}
});

test("a field that every object inherits is given only where the caller gives it", () => {
	const check = checkOf({ type: "object", properties: { constructor: { type: "string" } }, required: ["toString"] });
	assert.deepEqual(check({}, "args"), ["args/toString: expected a value, got none"]);
	assert.deepEqual(check({ toString: 1 }, "args"), []);
	assert.deepEqual(check({ toString: 1, constructor: 2 }, "args"), ["args/constructor: expected string, got number 2"]);
});

test("every dialect is read as its own", () => {
	const tuple = { type: "array", items: [{ type: "string" }, { type: "number" }] };
	assert.equal(checkOf({ ...tuple, $schema: "http://json-schema.org/draft-07/schema#" })([1], "v").length, 1);
	assert.equal(
		checkOf({
			$schema: "https://json-schema.org/draft/2020-12/schema",
			type: "array",
			prefixItems: [{ type: "string" }],
		})([1], "v").length,
		1,
	);
});

test("a schema nobody can use checks nothing and breaks nothing", () => {
	const hostile: unknown[] = [
		{ $ref: "#" },
		{ allOf: [{ $ref: "#" }] },
		{ $ref: "https://attacker.example/schema.json" },
		{ type: "nonsense" },
		{ pattern: "(", type: "string" },
		{ $id: "https://json-schema.org/draft/2020-12/schema", type: "object" },
		{ properties: "no", required: 5 },
		{
			$defs: Object.fromEntries(
				Array.from({ length: 5_000 }, (_, n) => [`d${n}`, { $ref: `#/$defs/d${n + 1}`, description: "x".repeat(50) }]),
			),
		},
		null,
		"text",
	];
	for (const schema of hostile)
		assert(Array.isArray(checkOf(schema)({ a: 1 }, "args")), JSON.stringify(schema).slice(0, 80));
	// And one bad schema does not spoil the next.
	assert.equal(checkOf({ type: "object", required: ["x"] })({}, "args").length, 1);
	assert.equal(checkOf({ $id: "same", type: "object" })({}, "a").length, 0);
	assert.equal(checkOf({ $id: "same", type: "string" })({}, "a").length, 1);
});

test("an argument that has a default may be left out at any depth, though its server lists it as required", () => {
	const clip = {
		type: "object",
		properties: { x: {}, unit: { enum: ["px"], default: "px" } },
		required: ["x", "unit"],
	};
	const schema = {
		type: "object",
		properties: {
			scale: { enum: ["css", "device"], default: "css" },
			name: { type: "string" },
			clips: { items: clip },
		},
		required: ["scale", "name"],
	};
	const check = argumentsCheckOf(schema);
	assert.deepEqual(check({ name: "a", clips: [{ x: 1 }] }, "args"), []);
	assert.deepEqual(check({ scale: "css" }, "args"), ["args/name: expected a value, got none"]);
	assert.deepEqual(check({ name: "a", clips: [{}] }, "args"), ["args/clips/0/x: expected a value, got none"]);
	assert.equal(check({ name: "a", scale: "inch" }, "args").length, 1, "one that is given is still checked");
	assert.equal(checkOf(schema)({ name: "a" }, "structured").length, 1, "a server's own answer is held to its schema");
	const proto = JSON.parse(
		'{"type":"object","properties":{"__proto__":{"default":1}},"required":["__proto__","other"]}',
	);
	assert.deepEqual(argumentsCheckOf(proto)({}, "args"), ["args/other: expected a value, got none"]);
});

test("a default under oneOf does not make the other alternative fit too", () => {
	const a = { properties: { a: { type: "string", default: "x" } }, required: ["a"] };
	const b = { properties: { b: { type: "string" } }, required: ["b"] };
	const check = argumentsCheckOf({ type: "object", oneOf: [a, b] });
	for (const fits of [{ b: "q" }, { a: "q" }, {}]) assert.deepEqual(check(fits, "args"), [], JSON.stringify(fits));
	assert.equal(check({ a: "q", b: "q" }, "args").length, 1);
});

test("a pattern decides wherever it stands, of whatever shape it is and however long the text", () => {
	const field = (schema: object) => ({ type: "object", properties: { x: schema } });
	const slug = { oneOf: [{ pattern: "^[0-9a-f]{8}$" }, { pattern: "^[A-Z][a-z]+(?:-[a-z0-9]+)*$" }] };
	const needsY = JSON.parse('{"then":{"required":["y"]}}');
	const cases: readonly (readonly [schema: object, fits: object, wrong: object])[] = [
		[field({ not: { pattern: "^(\\s|-)+$" } }), { x: "hello" }, { x: " - " }],
		[field({ not: { pattern: "^https?://" } }), { x: "a".repeat(2_001) }, { x: `http://${"a".repeat(2_001)}` }],
		[field(slug), { x: "0a1b2c3d" }, { x: "no slug" }],
		[{ patternProperties: { "^x-([a-z]+-?)+$": { type: "integer" } } }, { name: "bob" }, { "x-a": "bob" }],
		[{ ...needsY, if: field({ pattern: "^(https?|ftp)+://" }) }, { x: "plain" }, { x: "ftp://" }],
		[field({ propertyNames: { not: { pattern: "^(_|\\$)+" } } }), { x: { ok: 1 } }, { x: { _no: 1 } }],
		[field({ contains: { pattern: "^(a|b)+$" }, maxContains: 1 }), { x: ["a", "zzz"] }, { x: ["a", "b"] }],
	];
	for (const [schema, fits, wrong] of cases) {
		assert.deepEqual(argumentsCheckOf(schema)(fits, "args"), [], JSON.stringify(schema));
		assert.equal(argumentsCheckOf(schema)(wrong, "args").length, 1, JSON.stringify(schema));
	}
});

verifies(
	"004-unjudged-value-refused",
	"a value whose check takes forever is refused, and the next one is judged again",
	() => {
		const branch = { properties: { a: { $ref: "#" } } };
		const branches = { type: "object", anyOf: [branch, branch] };
		let nested: unknown = "no object";
		for (let depth = 0; depth < 60; depth++) nested = { a: nested };
		const items = Array.from({ length: 60_000 }, (_, index) => ({ index, in: { list: [index] } }));
		const forever: readonly (readonly [schema: object, value: unknown])[] = [
			[branches, nested],
			[{ properties: { a: { not: { pattern: "^(a+)+$" } } } }, { a: `${"a".repeat(40)}!` }],
			[{ items: { pattern: "^a*a*a*$" } }, Array.from({ length: 50 }, () => `${"a".repeat(1_900)}b`)],
			[{ uniqueItems: true }, items],
		];
		const refusal =
			"args: expected a value that can be checked against its schema, which took more than 250 ms of CPU time";
		for (const [schema, value] of forever) {
			for (const check of [checkOf(schema), argumentsCheckOf(schema)]) {
				const began = process.cpuUsage().user;
				assert.deepEqual(check(value, "args"), [refusal], JSON.stringify(schema));
				assert(process.cpuUsage().user - began < 1_500_000, JSON.stringify(schema));
			}
		}
		const slow = argumentsCheckOf({ properties: { a: { pattern: "^(a+)+$" } } });
		const [hostile, fits, wrong] = [{ a: `${"a".repeat(40)}!` }, { a: "aa" }, { a: "b" }];
		assert.deepEqual(slow(hostile, "args"), [refusal]);
		assert.deepEqual(slow(fits, "args"), []);
		assert.deepEqual(slow(wrong, "args"), ['args/a: expected text that matches ^(a+)+$, got "b"']);
		assert.equal(checkOf({ properties: { a: { $ref: "#" } }, required: ["b"] })({}, "args").length, 1);
	},
);

test("a value too deep to be checked is refused, and one that only its schema makes endless is not", () => {
	const list = checkOf({ properties: { next: { $ref: "#" }, name: { type: "string" } } });
	let nested: object = { name: 5 };
	for (let depth = 0; depth < 100_000; depth++) nested = { next: nested };
	assert.deepEqual(list(nested, "args"), [
		"args: expected at most 200 levels, since no more could be checked against its schema; got more",
	]);
	assert.deepEqual(list({ next: { name: 5 } }, "args"), ["args/next/name: expected string, got number 5"]);
	assert.deepEqual(checkOf({ $ref: "#" })({ a: 1 }, "args"), []);
});

test("work is bounded by the CPU time it takes, and not by the time for which others had the machine", () => {
	const nap = new Int32Array(new SharedArrayBuffer(4));
	assert.equal(
		runWithinCpuMs(50, () => {
			Atomics.wait(nap, 0, 0, 120);
			return "done";
		}),
		"done",
	);
	const began = process.cpuUsage().user;
	assert.throws(
		() =>
			runWithinCpuMs(50, () => {
				for (;;);
			}),
		isTimeout,
	);
	assert(process.cpuUsage().user - began < 1_000_000);
});

test("a definition that many places refer to is read once", () => {
	const named = (count: number, schema: object) =>
		Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, schema]));
	const check = checkOf({
		type: "object",
		$defs: { part: { type: "object", properties: named(300, { type: "string" }) } },
		properties: named(300, { $ref: "#/$defs/part" }),
	});
	assert.deepEqual(check({ f299: { f299: 5 } }, "args"), ["args/f299/f299: expected string, got number 5"]);
});

test("a schema is used however long it is, if it is soon understood", () => {
	const icon = { enum: Array.from({ length: 20_000 }, (_, n) => `icon-${n}`), description: "x".repeat(20_000) };
	const check = checkOf({ type: "object", properties: { icon, size: { type: "number" } } });
	assert.deepEqual(check({ icon: "icon-7", size: "8" }, "args"), ['args/size: expected number, got string "8"']);
});

test("a schema that takes long to understand checks nothing", () => {
	const properties = Object.fromEntries(
		Array.from({ length: 3_000 }, (_, n) => [`p${n}`, { type: "string", pattern: `^a${n}` }]),
	);
	assert.deepEqual(checkOf({ type: "object", properties })({ p1: "b" }, "args"), []);
});

test("what one schema names is nobody else's", () => {
	const part = (type: string) => ({ properties: { a: { $id: "https://same.example/part", type } } });
	assert.equal(checkOf(part("string"))({ a: 1 }, "args").length, 1);
	assert.equal(checkOf(part("number"))({ a: 1 }, "args").length, 0);
	assert.equal(checkOf({ $ref: "https://same.example/part" })(1, "args").length, 0);
});

test("JSON in text stays text where a value would not be what was written", () => {
	const read = (text: string) => readToolResult({ content: [{ type: "text", text }] }).structured;
	assert.equal(read('{"id": 12345678901234567890}'), '{"id": 12345678901234567890}');
	assert.equal(read("[-9007199254740993]"), "[-9007199254740993]");
	assert.deepEqual(read('{"id": "12345678901234567890", "n": 9007199254740991, "x": 0.12345678901234567890}'), {
		id: "12345678901234567890",
		n: 9_007_199_254_740_991,
		x: 0.12345678901234568,
	});
	assert.deepEqual(read('["\\\\\\"12345678901234567890"]'), ['\\"12345678901234567890']);
	const deep = "[".repeat(20_000) + "]".repeat(20_000);
	assert.equal(read(deep), deep);
});

test("answers of servers become values: structured, else JSON, else text, else a list", () => {
	const text = (...parts: string[]) => ({ content: parts.map((part) => ({ type: "text", text: part })) });
	assert.deepEqual(readToolResult({ ...text("ignored"), structuredContent: { a: 1 } }).structured, { a: 1 });
	assert.deepEqual(readToolResult(text('{"a":1}')).structured, { a: 1 });
	assert.equal(readToolResult(text("{not json")).structured, "{not json");
	assert.equal(readToolResult(text("12")).structured, "12");
	assert.deepEqual(readToolResult(text("a", "b")).structured, ["a", "b"]);
	assert.equal(readToolResult({ content: [] }).structured, null);
	for (const broken of [null, 5, "x", []]) assert.throws(() => readToolResult(broken), ToolError);
	assert.throws(() => readToolResult({ ...text("it broke\n"), isError: true }), { message: "it broke" });
	assert.throws(() => readToolResult({ isError: true }), /without saying why/);
});

test("words of a server that stand where a block should are an error, not an empty answer", () => {
	const unusable = "The server's answer is unusable: ";
	const list = { message: `${unusable}content: expected a list of blocks, got "ordered"` };
	assert.throws(() => readToolResult({ content: "ordered" }), list);
	assert.throws(() => readToolResult({ content: "ordered", structuredContent: { a: 1 }, isError: true }), list);
	const second = { type: "text", text: "and" };
	assert.throws(() => readToolResult({ content: [second, "ordered"] }), {
		message: `${unusable}content/1: expected a block, got "ordered"`,
		object: {
			code: "execution_failed",
			message: `${unusable}content/1: expected a block, got "ordered"`,
			retryable: false,
			details: { upstream: { content: [second, "ordered"] } },
		},
	});
	assert.deepEqual(readToolResult({ content: "ordered", structuredContent: { a: 1 } }).structured, { a: 1 });
	assert.equal(readToolResult({ content: null }).structured, null);
	assert.equal(readToolResult({ content: [null, second] }).structured, "and");
});

const signal = new AbortController().signal;

test("a kept result is given whole, and only to whom it was kept for", async () => {
	const store = new ResultStore();
	const handle = store.keep("the rest", LOCAL_VIEWER);
	assert.equal((await store.open(handle, LOCAL_VIEWER, signal)).text, "the rest");
	await assert.rejects(store.open(handle, { id: "somebody else" }, signal), ToolError);
});

test("kept results make room for newer ones", async () => {
	const store = new ResultStore();
	const first = store.keep("first", LOCAL_VIEWER);
	for (let n = 0; n < 250; n++) store.keep("x", LOCAL_VIEWER);
	await assert.rejects(store.open(first, LOCAL_VIEWER, signal), /old results are dropped/);
});

test("pictures take room as texts do, and what was only named takes none", async () => {
	const store = new ResultStore();
	const media = [{ type: "image", mimeType: "image/png", data: "A".repeat(12_000_000) }];
	const named = Array.from({ length: 5 }, () => store.keepUnread(async () => ({ text: "", media }), LOCAL_VIEWER));
	const [unread = "", first = "", second = "", third = "", fourth = ""] = named;
	// Read twice at once, it takes its room once.
	await Promise.all([store.open(first, LOCAL_VIEWER, signal), store.open(first, LOCAL_VIEWER, signal)]);
	await store.open(second, LOCAL_VIEWER, signal);
	assert.deepEqual((await store.open(first, LOCAL_VIEWER, signal)).media, media);
	for (const handle of [fourth, third]) await store.open(handle, LOCAL_VIEWER, signal);
	for (const handle of [first, second])
		await assert.rejects(store.open(handle, LOCAL_VIEWER, signal), /old results are dropped/);
	for (const handle of [fourth, third, unread]) assert((await store.open(handle, LOCAL_VIEWER, signal)).media, handle);
});

test("the pages of a text make up the whole of it, and none ends inside a character", () => {
	fc.assert(
		fc.property(fc.string({ maxLength: 400, unit: "grapheme" }), fc.integer({ min: 2, max: 50 }), (text, size) => {
			let offset: number | undefined = 0;
			let read = "";
			while (offset !== undefined) {
				const page: Page = pageOf(text, offset, size);
				assert(page.text.isWellFormed() || !text.isWellFormed());
				read += page.text;
				offset = page.nextOffset;
			}
			assert.equal(read, text);
		}),
	);
	assert.equal(pageOf("\u{1f600}b", 0, 1).nextOffset, 1, "half a character rather than nothing for ever");
	assert.equal(pageOf("\u{1f600}b", 0, 2).text, "\u{1f600}");
});
