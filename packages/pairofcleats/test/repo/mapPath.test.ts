import assert from "node:assert/strict";
import { test } from "node:test";
import { type Fixture, fixtureOf } from "../filter/fixtureRepository.ts";

test("a map takes any spelling of a path, also one that begins with a dot", async (t) => {
	const fixture = await fixtureOf({
		".config/x.ts": "export function hidden() {}\n",
		"src/y.ts": "export function shown() {}\n",
	});
	t.after(() => fixture.remove());
	const names = async (path?: string): Promise<string[]> =>
		(await fixture.repository.map(path)).map(({ name }) => name);
	for (const path of [".config", "./.config", ".config/", ".config/x.ts"])
		assert.deepEqual(await names(path), ["hidden"], path);
	for (const path of [undefined, ".", "./"]) assert.deepEqual(await names(path), ["hidden", "shown"], path);
	await assert.rejects(names("config"), { code: "NOT_FOUND" });
});

test("a map of a folder without files says that nothing is indexed", async (t) => {
	const fixture = await fixtureOf({});
	t.after(() => fixture.remove());
	await assert.rejects(fixture.repository.map(), { code: "NOT_FOUND", message: "no file is indexed here" });
});

test("a map lists signatures, and the methods of a class written on one line", async (t) => {
	const fixture = await fixtureOf({
		"a.ts":
			"export class A { m() { return 1; } n() {} }\n\nexport interface B {\n\tfind(id: string): void;\n\tsize: number;\n}\n",
		"b.h": "int open_session(void);\n",
		"C.java": "class C {\n  int one() { return 1; } int two() { return 2; }\n}\n",
	});
	t.after(() => fixture.remove());
	assert.deepEqual(await rowsOf(fixture), [
		"C.java:1-3 class C",
		"C.java:2-2 method C.one",
		"C.java:2-2 method C.two",
		"a.ts:1-1 class A",
		"a.ts:1-1 method A.m",
		"a.ts:1-1 method A.n",
		"a.ts:3-6 interface B",
		"a.ts:4-4 method B.find",
		"a.ts:5-5 property B.size",
		"b.h:1-1 function open_session",
	]);
});

test("a map lists constants, variables and every key of a data file, with their lines", async (t) => {
	const fixture = await fixtureOf({
		"consts.ts":
			"export const MAX_A = 1;\nexport const MAX_B = 2;\nexport let counter = 0;\n\nexport function f() {\n\tconst local = 1;\n\treturn local;\n}\n",
		"k.json": '{\n  "a": 1,\n  "b": {\n    "c": 2\n  },\n  "d": 3\n}\n',
		"k.toml": "[alpha]\nx = 1\n\n[beta]\ny = 2\n",
		"settings.py": "DEBUG = True\nPORT = 1\n",
	});
	t.after(() => fixture.remove());
	assert.deepEqual(await rowsOf(fixture), [
		"consts.ts:1-1 variable MAX_A",
		"consts.ts:2-2 variable MAX_B",
		"consts.ts:3-3 variable counter",
		"consts.ts:5-8 function f",
		"k.json:2-2 property a",
		"k.json:3-5 property b",
		"k.json:6-6 property d",
		"k.toml:1-3 property alpha",
		"k.toml:4-5 property beta",
		"settings.py:1-1 variable DEBUG",
		"settings.py:2-2 variable PORT",
	]);
});

async function rowsOf({ repository }: Fixture): Promise<string[]> {
	return (await repository.map()).map(
		({ path, startLine, endLine, kind, qualifiedName }) => `${path}:${startLine}-${endLine} ${kind} ${qualifiedName}`,
	);
}
