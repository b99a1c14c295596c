import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFile } from "../../src/parse/parseFile.ts";

/** Statements that await what they go through or close, next to ones that only look like them. */
const STATEMENTS = {
	"a.ts": [
		"async function f() {\n\tfor await (const x of gen(1)) use(x);\n\tfor (const y of await all()) use(y);\n\tfor (const z of plain()) use(z);\n\tfor await (const w of await later()) use(w);\n\tawait using r = open(1);\n\tawait using s = await lock();\n\tusing t = held();\n}\n",
		["gen", "all", "later", "open", "lock"],
	],
	"a.js": ["async function f() {\n\tfor await (const x of this.items) use(x);\n}\n", ["this.items"]],
	"a.py": [
		"async def f():\n    async for x in gen(1):\n        use(x)\n    async with open(2) as a, b.lock:\n        with plain() as p:\n            pass\n    async with (one() as c, two()):\n        pass\n    return [i async for i in agen()] + [j for j in other()]\n",
		["gen", "open", "b.lock", "one", "two", "agen"],
	],
	"a.cs": [
		"class A {\n    async Task f() {\n        await foreach (var x in Gen(1)) { Use(x); }\n        foreach (var y in Plain()) { }\n        await using (var r = Open()) { }\n        await using (lease) { }\n        await using Conn s = new Conn(2), t = Other();\n        using var u = Held();\n        await using var v = await Late(v);\n    }\n}\n",
		["Gen", "Open", "lease", "Conn", "Other", "Late"],
	],
	"a.swift": [
		"func f() async throws {\n    for try await x in gen() { use(x) }\n    for await y in ys { }\n    for z in await all() { }\n    for w in plain() { }\n}\n",
		["gen", "ys", "all"],
	],
} as const;

for (const [path, [source, awaited]] of Object.entries(STATEMENTS)) {
	test(`${path}: a loop or a resource that is awaited counts as awaited`, async () => {
		const { chunks } = await parseFile(path, source);
		assert.deepEqual(chunks.find(({ name }) => name === "f")?.facts?.awaits, awaited);
	});
}
