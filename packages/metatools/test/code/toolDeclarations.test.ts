import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import fc from "fast-check";
import { schemaType } from "../../src/code/declare/schemaType.ts";
import { type DeclaredTool, toolDeclarations } from "../../src/code/declare/toolDeclarations.ts";
import { defaultConfig } from "../../src/config/defaults.ts";
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
		toolDeclarations([ADD, { id: "ping", name: "ping", definition: {} }, tool("mcp.github", "get-issue")]),
		`declare const tools: {
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

void test("a schema becomes the type a reader would write", () => {
	const cases: [unknown, string][] = [
		[true, "unknown"],
		[{}, "unknown"],
		[false, "never"],
		[{ enum: ["a", 1, null] }, '"a" | 1 | null'],
		[{ const: "x" }, '"x"'],
		[{ type: "array", items: { type: ["string", "null"] } }, "(string | null)[]"],
		[{ type: "array", prefixItems: [{ type: "string" }], items: false }, "[string]"],
		[{ type: "array", prefixItems: [{ type: "string" }] }, "[string, ...unknown[]]"],
		[{ type: "object" }, "Record<string, unknown>"],
		[{ type: "object", additionalProperties: { type: "boolean" } }, "Record<string, boolean>"],
		[{ type: "object", additionalProperties: false }, "Record<string, never>"],
		[{ properties: { a: true }, additionalProperties: true }, "{ a?: unknown; [key: string]: unknown }"],
		[{ anyOf: [{ type: "string" }, { type: "integer" }] }, "string | number"],
		[
			{ allOf: [{ properties: { a: { type: "string" } } }, { properties: { b: {} } }] },
			"{ a?: string } & { b?: unknown }",
		],
		[{ type: "string", nullable: true }, "string | null"],
		[{ $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "boolean" } } }, "boolean"],
		[{ $ref: "https://elsewhere.example/schema" }, "unknown"],
		[{ $ref: "#/__proto__/constructor" }, "unknown"],
		[JSON.parse('{"enum":[1e400]}'), "unknown"],
	];
	for (const [schema, type] of cases) assert.equal(schemaType(schema), type, JSON.stringify(schema));
});

void test("a schema that refers to itself ends", () => {
	const node = { type: "object", properties: { next: { $ref: "#" }, value: { type: "string" } } };
	assert.equal(schemaType(node), "{ next?: unknown; value?: string }");
	assert.equal(schemaType({ $ref: "#/a", a: { $ref: "#/b" }, b: { $ref: "#/a" } }), "unknown");
});

void test("references that fan out are bounded in size", () => {
	const defs: Record<string, unknown> = { d0: { type: "string" } };
	for (let at = 1; at <= 12; at += 1) {
		const part = { $ref: `#/$defs/d${at - 1}` };
		defs[`d${at}`] = { type: "object", properties: { a: part, b: part, c: part, d: part } };
	}
	const type = schemaType({ $ref: "#/$defs/d12", $defs: defs });
	assert.ok(type.length < 60_000, `${type.length}`);
});

void test("names no property can carry are left to tools.call", () => {
	const text = toolDeclarations([
		...[tool("call", "x"), tool("ok", "then"), tool("ok", "twice"), tool("ok", "twice")],
		{ id: "ok", name: "ok", definition: {} },
	]);
	assert.ok(toolDeclarations([tool("call", "\u2028evil()")]).includes('// tools.call("call:\\u2028evil()", args)'));
	for (const id of ["call:x", "ok:then", "ok:twice", "ok"])
		assert.ok(text.includes(`// tools.call("${id}", args)`), id);
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
			const code = stripTypeScriptTypes(toolDeclarations(tools)).replaceAll(/^\s*;?\s*$/gm, "");
			assert.equal(code, "");
		}),
		{ numRuns: 100 },
	);
});

void test("a gateway that runs code declares its tools, one that does not declares nothing", () => {
	const { settings, ...rest } = defaultConfig();
	for (const code of [true, false]) {
		const gateway = createGateway({ ...rest, settings: { ...settings, code } });
		const ping = gateway.catalog.tools.find(({ id }) => id === "local:ping");
		assert.ok(ping !== undefined);
		assert.equal(gateway.declare(ping)?.includes("\tlocal: {\n"), code ? true : undefined);
	}
});

void test("the compiler accepts the declarations and holds code to them", async (t) => {
	const folder = await mkdtemp(join(tmpdir(), "declarations-"));
	t.after(() => rm(folder, { recursive: true, force: true }));
	const file = join(folder, "snippet.ts");
	const tools = [ADD, tool("mcp.github", "get-issue"), tool("__proto__", "constructor")];
	const good = `const { sum } = await tools.math.add({ a: 1 });\nprogress(sum);\nawait tools["mcp.github"]["get-issue"]();\n`;
	const bad = `await tools.math.add({ a: "one" });\n`;
	await writeFile(file, `${toolDeclarations(tools)}${good}${bad}export {};\n`);
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
