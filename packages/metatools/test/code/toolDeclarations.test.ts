import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import fc from "fast-check";
import { convertSchema } from "../../src/code/declare/schemaType.ts";
import {
	type DeclaredTool,
	writeToolDeclarations,
	writeToolSignature,
} from "../../src/code/declare/toolDeclarations.ts";
import { loadDefaultConfig } from "../../src/config/load.ts";
import { createGateway } from "../../src/server/createGateway.ts";

const run = promisify(execFile);

const ADD: DeclaredTool = {
	id: "math:add",
	namespace: "math",
	name: "add",
	definition: {
		description: "Adds.\nEven */ this.",
		inputSchema: {
			type: "object",
			properties: { a: { type: "number" }, "b-2": { type: ["integer", "null"] } },
			required: ["a"],
		},
		outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
	},
};
const tool = (namespace: string, name: string): DeclaredTool => ({
	...{ id: `${namespace}:${name}`, namespace, name, definition: {} },
});

void test("tools are declared by namespace and name, with their descriptions and types", () => {
	assert.equal(
		writeToolDeclarations([ADD, { id: "ping", name: "ping", definition: {} }, tool("mcp.github", "get-issue")]),
		`declare const tools: {
	// An unknown result is the tool's text, or the value where that text is JSON; several texts are a list, other content its blocks.
	math: {
		/** Adds. Even *\\/ this. */
		add(args: { a: number; "b-2"?: number | null }): Promise<{ sum: number }>;
	};
	"mcp.github": {
		"get-issue"(args?: Record<string, unknown>): Promise<unknown>;
	};
	ping(args?: Record<string, unknown>): Promise<unknown>;
	call(id: string, args?: object): Promise<unknown>;
	search(query: string, limit?: number): Promise<{ id: string; name: string; namespace?: string; shortDescription?: string; tags?: string[] }[]>;
	describe(id: string): Promise<{ summary: string; tool?: Record<string, unknown> }>;
};
declare function progress(progress: number, total?: number, message?: string): void;
`,
	);
});

void test("of several versions the newest, which its path calls, has the types, in whatever order they come", () => {
	const pay = (version: string): DeclaredTool => ({
		...{ id: `demo:pay${version}`, namespace: "demo", name: "pay" },
		definition: {
			inputSchema: { type: "object", properties: { [`in${version.replace(/\W/g, "_")}`]: { type: "string" } } },
		},
	});
	const versions = [pay(":9.1"), pay(":10.0"), pay(":10.0-beta")];
	for (const listed of [versions, versions.toReversed()]) {
		const declared = writeToolDeclarations(listed);
		assert.match(declared, /\tpay\(args\?: \{ in_10_0\?: string \}\)/);
		for (const older of ["9.1", "10.0-beta"])
			assert(declared.includes(`// tools.call("demo:pay:${older}", args)`), declared);
	}
	assert.match(writeToolDeclarations([...versions, pay("")]), /\tpay\(args\?: \{ in\?: string \}\)/);
});

void test("a schema becomes the type a reader would write", () => {
	const object = (rest: object) => ({ type: "object", ...rest });
	const cases: [unknown, string][] = [
		[true, "unknown"],
		[{}, "unknown"],
		[false, "never"],
		[{ enum: ["a", 1, null] }, '"a" | 1 | null'],
		[{ enum: Array.from({ length: 60 }, (_, n) => (n === 7 ? null : `${n}`)) }, "string | null"],
		[{ const: "x" }, '"x"'],
		[{ type: "array", items: { type: ["string", "null"] } }, "(string | null)[]"],
		[{ type: "array", prefixItems: [{ type: "string" }], items: false }, "[string]"],
		[{ type: "array", prefixItems: [{ type: "string" }] }, "[string, ...unknown[]]"],
		[{ type: "array", items: [{ type: "string" }], additionalItems: { type: "null" } }, "[string, ...null[]]"],
		[object({}), "Record<string, unknown>"],
		[object({ properties: {} }), "{}"],
		[object({ additionalProperties: { type: "boolean" } }), "Record<string, boolean>"],
		[object({ additionalProperties: false }), "Record<string, never>"],
		[
			object({ patternProperties: { "^x-": { type: "number" } }, additionalProperties: false }),
			"Record<string, number>",
		],
		[
			object({ propertyNames: { enum: ["a", "b"] }, additionalProperties: { type: "null" } }),
			'Partial<Record<"a" | "b", null>>',
		],
		[{ properties: { a: true }, additionalProperties: true }, "{ a?: unknown; [key: string]: unknown }"],
		[{ properties: { a: true }, patternProperties: { "^x": true } }, "{ a?: unknown; [key: string]: unknown }"],
		[{ properties: { a: true }, required: ["a", "b"] }, "{ a: unknown; b: unknown }"],
		[{ anyOf: [{ type: "string" }, { type: "integer" }] }, "string | number"],
		[{ anyOf: [{ enum: ["a", null] }, { type: "null" }], nullable: true }, '"a" | null'],
		[{ type: "array", items: { anyOf: [object({ properties: { a: { enum: [1, 2] } } })] } }, "{ a?: 1 | 2 }[]"],
		[
			{ allOf: [{ properties: { a: { type: "string" } } }, { properties: { b: {} } }] },
			"{ a?: string } & { b?: unknown }",
		],
		[
			{ type: "array", items: { allOf: [{ required: ["a"] }, { anyOf: [{ required: ["b"] }, { required: ["c"] }] }] } },
			"({ a: unknown } & ({ b: unknown } | { c: unknown }))[]",
		],
		[object({ oneOf: [{ required: ["a"] }, object({ required: ["b"] })] }), "{ a: unknown } | { b: unknown }"],
		[{ type: "string", nullable: true }, "string | null"],
		[{ $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "boolean" } } }, "boolean"],
		[{ $ref: "#/$defs/a%20b", $defs: { "a b": { type: "boolean" } } }, "boolean"],
		[{ $ref: "#/$defs/caf%C3%A9", $defs: { café: { type: "boolean" } } }, "boolean"],
		[{ $ref: "#/$defs/100%", $defs: { "100%": { type: "boolean" } } }, "boolean"],
		[{ $ref: "https://elsewhere.example/schema" }, "unknown"],
		[{ $ref: "#/__proto__/constructor" }, "unknown"],
		[JSON.parse('{"enum":[1e400]}'), "unknown"],
	];
	for (const [schema, type] of cases) assert.equal(convertSchema(schema, "given"), type, JSON.stringify(schema));
});

void test("a field with a default may be left out of what is given and is there in what is answered", () => {
	const schema = {
		type: "object",
		properties: { a: { type: "string" }, b: { type: "integer", default: 3 }, c: { $ref: "#/$defs/c", default: null } },
		required: ["a", "b", "c"],
		$defs: { c: { type: ["string", "null"], description: "Where to go on." } },
	};
	const lines = (b: string, c: string) => [
		...["{", "\ta: string;", "\t/** @default 3 @integer */", `\t${b}: number;`],
		...["\t/** Where to go on. @default null */", `\t${c}: string | null;`, "}"],
	];
	assert.deepEqual(convertSchema(schema, "given").split("\n"), lines("b?", "c?"));
	assert.deepEqual(convertSchema(schema, "answered").split("\n"), lines("b", "c"));
});

void test("what a type cannot say stands beside the field: its description, limits, format and default", () => {
	const notes: [object, string | undefined][] = [
		[{ type: "string" }, undefined],
		[{ type: "integer" }, undefined],
		[{ type: "string", description: "One\n  line */ only." }, "One line *\\/ only."],
		[{ type: "string", description: "word ".repeat(300) }, `${"word ".repeat(199)}word…`],
		[{ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, "@minimum 0 @integer"],
		[{ type: "string", minLength: 0, maxLength: 9, pattern: "^[a-z*/]+$" }, "@pattern ^[a-z*\\/]+$ @maxLength 9"],
		[{ anyOf: [{ type: "string", format: "uri" }, { type: "null" }], description: "Where." }, "Where. @format uri"],
		[{ type: "string", default: "json", deprecated: true }, '@deprecated @default "json"'],
		[{ type: "array", items: {}, default: Array(100).fill(0) }, `@default [${"0,".repeat(39)}…`],
		[{ enum: Array.from({ length: 50 }, (_, n) => `${n}`) }, undefined],
		[{ enum: Array.from({ length: 51 }, (_, n) => `${n}`) }, "@enum 51 values, listed in the schema"],
	];
	for (const [property, note] of notes) {
		const type = convertSchema({ properties: { a: property } }, "given");
		assert.equal(/\/\*\* (.*) \*\//.exec(type)?.[1], note, type);
	}
});

void test("arguments may be left out where an empty object would do", () => {
	const b = { type: "object", required: ["b"] };
	const optional: [object, boolean][] = [
		[{ properties: { a: { default: 1 } }, required: ["a"] }, true],
		[{ properties: { a: {} }, required: ["a"] }, false],
		[{ anyOf: [b, { type: "object" }] }, true],
		[{ anyOf: [b, { required: ["c"] }] }, false],
		[{ $ref: "#/$defs/b", $defs: { b } }, false],
		[{ allOf: [{ $ref: "#" }] }, true],
	];
	for (const [inputSchema, may] of optional) {
		const text = writeToolDeclarations([{ id: "t", name: "t", definition: { inputSchema } }]);
		assert.equal(text.includes("t(args?: "), may, text);
	}
});

void test("a schema that refers to itself ends, and says to what", () => {
	const node = { type: "object", properties: { next: { $ref: "#" }, value: { type: "string" } } };
	assert.equal(convertSchema(node, "answered"), "{ next?: unknown /* the whole again */; value?: string }");
	assert.equal(
		convertSchema({ $ref: "#/a", a: { $ref: "#/b" }, b: { $ref: "#/a" } }, "given"),
		"unknown /* a again */",
	);
	const items = { type: "array", items: { $ref: "#/$defs/node" } };
	const tree = { $ref: "#/$defs/node", $defs: { node: { type: "object", properties: { items } } } };
	assert.equal(convertSchema(tree, "given"), "{ items?: unknown /* node again */[] }");
	const odd = {
		properties: { a: { $ref: "#/properties/*~1" }, "*/": { properties: { b: { $ref: "#/properties/*~1" } } } },
	};
	assert(!convertSchema(odd, "given").includes("*/ again"), "no name ends the remark");
});

void test("of a very long reference only the end is read and told", () => {
	const again = (name: string) =>
		convertSchema({ $ref: `#/$defs/${name}`, $defs: { [name]: { $ref: `#/$defs/${name}` } } }, "given");
	assert.equal(again(`${"a".repeat(100_000)}z`), `unknown /* ${"a".repeat(99)}z again */`);
});

void test("references that fan out are bounded in size", () => {
	const defs: Record<string, unknown> = { d0: { type: "string" } };
	for (let at = 1; at <= 12; at += 1) {
		const part = { $ref: `#/$defs/d${at - 1}`, description: "x".repeat(200) };
		defs[`d${at}`] = { type: "object", properties: { a: part, b: part, c: part, d: part } };
	}
	const type = convertSchema({ $ref: "#/$defs/d12", $defs: defs }, "given");
	assert.ok(type.length < 60_000, `${type.length}`);
});

void test("names no property can carry are left to tools.call", () => {
	const text = writeToolDeclarations([
		...[tool("call", "x"), tool("ok", "then"), tool("ok", "twice"), tool("ok", "twice")],
		{ id: "ok", name: "ok", definition: {} },
	]);
	assert.ok(
		writeToolDeclarations([tool("call", "\u2028evil()")]).includes('// tools.call("call:\\u2028evil()", args)'),
	);
	for (const id of ["call:x", "ok:then", "ok:twice", "ok"])
		assert.ok(text.includes(`// tools.call("${id}", args)`), id);
});

void test("one tool is declared as it is called", () => {
	const unknown =
		"\n// An unknown result is the tool's text, or the value where that text is JSON; several texts are a list, other content its blocks.";
	const anything = `args?: Record<string, unknown>): Promise<unknown>;${unknown}`;
	const cases: [DeclaredTool, string][] = [
		[ADD, 'tools.math.add(args: { a: number; "b-2"?: number | null }): Promise<{ sum: number }>;'],
		[tool("mcp.github", "get-issue"), `tools["mcp.github"]["get-issue"](${anything}`],
		[{ id: "ping", name: "ping", definition: {} }, `tools.ping(${anything}`],
		[tool("search", "x"), `tools.call("search:x", ${anything}`],
		[{ ...tool("ok", "old"), id: "ok:old:1.0" }, `tools.call("ok:old:1.0", ${anything}`],
		[tool("ok", "then"), `tools.call("ok:then", ${anything}`],
		[{ id: "call", name: "call", definition: {} }, `tools.call("call", ${anything}`],
		[{ id: "ping", name: "ping", definition: { outputSchema: null } }, `tools.ping(${anything}`],
	];
	for (const [declared, text] of cases) assert.equal(writeToolSignature(declared), text);
});

void test("whatever a server names and describes, the text stays declarations", () => {
	const hostile = fc.oneof(
		fc.string({ unit: "binary" }),
		fc.constantFrom(
			"*/ evil() /*",
			'"]: never }; evil(); //',
			"`$\u007bevil()}`",
			"\u2028evil()",
			"__proto__",
			"a\nb",
			"\\",
		),
	);
	const schema = fc.oneof(
		fc.anything(),
		fc.record({
			properties: fc.dictionary(hostile, fc.record({ description: hostile, default: hostile, pattern: hostile })),
		}),
		fc.record({ type: fc.constant("object"), properties: fc.dictionary(hostile, fc.anything()) }),
		fc.record({ enum: fc.array(hostile) }),
	);
	const declared = fc.record({
		...{ id: hostile, namespace: hostile, name: hostile },
		definition: fc.record({ description: hostile, inputSchema: schema, outputSchema: schema }),
	});
	fc.assert(
		fc.property(fc.array(declared, { maxLength: 4 }), (tools) => {
			// Declarations leave no code behind: what remains after stripping is blank and comments.
			const code = stripTypeScriptTypes(writeToolDeclarations(tools)).replaceAll(/^\s*;?\s*$/gm, "");
			assert.equal(code, "");
			for (const declared of tools) assert.doesNotMatch(writeToolSignature(declared), /[\u2028\u2029]/);
		}),
		{ numRuns: 100 },
	);
});

void test("a gateway that runs code declares its tools, one that does not declares nothing", () => {
	const { settings, ...rest } = loadDefaultConfig();
	for (const code of [true, false]) {
		const gateway = createGateway({ ...rest, settings: { ...settings, code } });
		const ping = gateway.catalog.tools.find(({ id }) => id === "local:ping");
		assert.ok(ping !== undefined);
		assert.equal(gateway.declare(ping)?.startsWith("tools.local.ping("), code ? true : undefined);
	}
});

void test("the compiler accepts the declarations and holds code to them", async (t) => {
	const folder = await mkdtemp(join(tmpdir(), "declarations-"));
	t.after(() => rm(folder, { recursive: true, force: true }));
	const file = join(folder, "snippet.ts");
	const tools = [ADD, tool("mcp.github", "get-issue"), tool("__proto__", "constructor")];
	const good = `const { sum } = await tools.math.add({ a: 1 });\nprogress(sum);\nawait tools["mcp.github"]["get-issue"]();\n`;
	const bad = `await tools.math.add({ a: "one" });\n`;
	await writeFile(file, `${writeToolDeclarations(tools)}${good}${bad}export {};\n`);
	const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
	const flags = [
		"--ignoreConfig",
		"--noEmit",
		"--strict",
		"--target",
		"es2022",
		"--module",
		"esnext",
		"--types",
		"",
		file,
	];
	const { stdout } = await run(process.execPath, [tsc, ...flags]).catch((failed) => failed);
	assert.match(stdout, /error TS2322: Type 'string' is not assignable to type 'number'/);
	assert.equal(
		stdout
			.trim()
			.split("\n")
			.filter((line: string) => line.includes("error")).length,
		1,
		stdout,
	);
});
