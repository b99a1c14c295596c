import assert from "node:assert/strict";
import { test } from "node:test";
import { parsed } from "./soundFile.ts";

async function exportsOf(path: string, text: string) {
	const { exports, chunks } = await parsed(path, text);
	const exported = chunks.filter(({ facts }) => facts?.exported).map(({ name }) => name);
	return { exports, exported };
}

const declared = (...names: readonly string[]): string =>
	names.map((name) => `function ${name}() {\n\treturn 1;\n}\n`).join("");

test("of an object of exports, what is exported is the value and not what has the name of its key", async () => {
	const text = `${declared("first", "second", "other", "same")}module.exports = { other: first, "quoted": second, same };\n`;
	assert.deepEqual(await exportsOf("a.js", text), {
		exports: ["other", "quoted", "same"],
		exported: ["first", "second", "same"],
	});
	const single = `${declared("inner", "outer")}exports.outer = inner;\nexports.limit = 3;\n`;
	assert.deepEqual(await exportsOf("b.js", single), { exports: ["outer", "limit"], exported: ["inner"] });
});

test("a list of exports is read without its comments, and with names that are strings or of a whole module", async () => {
	const text = `${declared("one", "two")}export {
	one, // a comment, with comma as foo
	/* inside */ two as three,
	one as "four five",
};
export * as six from "./six";
export * from "./seven";
`;
	for (const path of ["a.ts", "a.mjs"])
		assert.deepEqual(await exportsOf(path, text), {
			exports: ["one", "three", "four five", "six"],
			exported: ["one", "two"],
		});
});

test("a default export that is a value without a name is exported as default", async () => {
	for (const value of ["{ a: 1 }", "defineConfig({})", "() => 1"])
		assert.deepEqual((await parsed("a.ts", `export default ${value};\n`)).exports, ["default"], value);
	assert.deepEqual((await parsed("a.ts", "export default class Store {}\n")).exports, ["Store"]);
});

test("what a namespace exports is exported by the file only if the namespace is", async () => {
	const text = `namespace Hidden {
	export const a = 1;
	export function b() {
		return 1;
	}
	export namespace Deep { export const c = 1; }
}
export namespace Shown {
	export const d = 1;
	namespace Inner { export const e = 1; }
	export namespace Other { export const f = 1; }
}
namespace Later {
	export const g = 1;
	namespace Inner { export const h = 1; }
}
export { Later };
declare module "other" { export const i: number; }
`;
	assert.deepEqual((await parsed("a.ts", text)).exports.toSorted(), ["Later", "Other", "Shown", "d", "f", "g", "i"]);
});

test("export = exports what it names, with its namespace, and nothing if it has no name", async () => {
	const text = "declare namespace Lib { export const a: number; }\n";
	assert.deepEqual((await parsed("a.d.ts", `${text}export = Lib;\n`)).exports.toSorted(), ["Lib", "a"]);
	assert.deepEqual((await parsed("a.ts", `${text}export = { b: 1 };\n`)).exports, []);
});
