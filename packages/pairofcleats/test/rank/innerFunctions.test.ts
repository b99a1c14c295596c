import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureOf } from "../filter/fixtureRepository.ts";

/** Calls a function more often than its declaration names it. */
function uses(call: string): string {
	return Array.from({ length: 6 }, () => `${call};`).join(" ");
}

test("a method of a class written on one line is found at its class, before its uses", async (t) => {
	const { repository, remove } = await fixtureOf({
		"src/counter.ts": "export class Counter { increment() { return 1; } reset() {} }\n",
		"src/use.ts": `export function use(c: Counter): void { ${uses("c.increment()")} ${uses("c.reset()")} }\n`,
		"Pair.java": "class Pair {\n  int left() { return 1; } int right() { return 2; }\n}\n",
		"Use.java": `class Use {\n  void use(Pair p) { ${uses("p.right()")} }\n}\n`,
	});
	t.after(remove);
	for (const [query, path, line] of [
		["increment", "src/counter.ts", 1],
		["reset", "src/counter.ts", 1],
		["Counter.reset", "src/counter.ts", 1],
		["right", "Pair.java", 2],
	] as const) {
		const [first] = (await repository.search({ query, context: 0 })).hits;
		assert.deepEqual([first?.path, first?.snippet.matched], [path, [line]], query);
	}
});

test("a signature is found where it is declared, before its uses", async (t) => {
	const { repository, remove } = await fixtureOf({
		"shape.ts": "export abstract class Shape {\n\tabstract area(): number;\n\n\tname = 1;\n}\n",
		"useShape.ts": `export function use(s: Shape): void { ${uses("s.area()")} }\n`,
		"store.go": "package a\n\ntype Store interface {\n\tName() string\n\tLoad(id string) error\n}\n",
		"useStore.go": `package a\n\nfunc use(s Store) { ${uses('s.Load("a")')} }\n`,
		"Repo.java": "interface Repo {\n  String fetch(String id);\n}\n",
		"UseRepo.java": `class UseRepo {\n  void use(Repo r) { ${uses('r.fetch("a")')} }\n}\n`,
		"Source.kt": "interface Source {\n    fun pull(id: String): String\n}\n",
		"UseSource.kt": `fun use(s: Source) { ${uses('s.pull("a")')} }\n`,
		"IQueue.cs": "public interface IQueue {\n  void Enqueue(string id);\n}\n",
		"UseQueue.cs": `class UseQueue {\n  void Use(IQueue q) { ${uses('q.Enqueue("a")')} }\n}\n`,
		"session.h": "#define MOST 3\nint open_session(const char *name);\nvoid close_session(int id);\n",
		"use.c": `void use(void) { ${uses("close_session(1)")} }\n`,
		"widget.hpp": "class Widget {\npublic:\n  void draw(int x) const;\n};\n",
		"use.cc": `void use(Widget w) { ${uses("w.draw(1)")} }\n`,
	});
	t.after(remove);
	for (const [query, path, line] of [
		["area", "shape.ts", 2],
		["Shape.area", "shape.ts", 2],
		["Load", "store.go", 5],
		["fetch", "Repo.java", 2],
		["pull", "Source.kt", 2],
		["Enqueue", "IQueue.cs", 2],
		["close_session", "session.h", 3],
		["draw", "widget.hpp", 3],
		["Widget::draw", "widget.hpp", 3],
	] as const) {
		const [first] = (await repository.search({ query, context: 0 })).hits;
		assert.equal(first?.path, path, query);
		assert.ok(first.snippet.matched.includes(line), `${query}: ${first.snippet.matched}`);
	}
});

test("a signature ranks behind the code of that name, and before uses", async (t) => {
	const { repository, remove } = await fixtureOf({
		"session.h": "int open_session(const char *name);\n",
		"session.c": "int open_session(const char *name) {\n  return name[0] == 0;\n}\n",
		"use.c": `void use(void) { ${uses('open_session("a")')} }\n`,
		"open.go":
			"package a\n\ntype Open interface {\n\t// Load loads; Load may fail; Load again.\n\tLoad(id string) error\n}\n",
		"disk.go": "package a\n\nfunc (d *Disk) Load(id string) error {\n\treturn nil\n}\n",
		"picker.ts":
			"export class Picker {\n\tpick(a: string): string;\n\tpick(a: number): number;\n\tpick(a: unknown): unknown {\n\t\treturn a;\n\t}\n}\n",
	});
	t.after(remove);
	const found = async (query: string): Promise<string[]> =>
		(await repository.search({ query })).hits.map(({ path, startLine }) => `${path}:${startLine}`);
	assert.deepEqual((await found("open_session")).slice(0, 3), ["session.c:1", "session.h:1", "use.c:1"]);
	assert.deepEqual((await found("Load")).slice(0, 2), ["disk.go:3", "open.go:3"]);
	assert.deepEqual(await found("pick"), ["picker.ts:4", "picker.ts:1"]);
});

test("a function inside another one is no symbol for others", async (t) => {
	const { repository, remove } = await fixtureOf({
		"outer.ts": "export function outer(): number {\n\tfunction inner(): number { return 1; }\n\treturn inner();\n}\n",
	});
	t.after(remove);
	const { hits } = await repository.search({ query: "inner", explain: true });
	assert.deepEqual([hits[0]?.name, hits[0]?.scoreParts?.definition], ["outer", 0]);
	assert.deepEqual(
		(await repository.map()).map(({ name }) => name),
		["outer"],
	);
});
