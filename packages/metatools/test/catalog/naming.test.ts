import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nameTools } from "../../src/catalog/naming.ts";
import { compilePattern, parseToolId } from "../../src/catalog/toolId.ts";

const named = (namespace: string, names: readonly string[]) =>
	nameTools(
		namespace,
		names.map((name) => ({ name })),
	);

test("a fit name is kept as it is", () => {
	const { tools, problems } = named("git", ["create_branch", "log.v2", "a-b"]);
	assert.deepEqual(
		tools.map((tool) => tool.id),
		["git:a-b", "git:create_branch", "git:log.v2"],
	);
	assert.deepEqual(problems, []);
});

test("names that fall together are told apart, the fit one keeps its name, and the change is said", () => {
	const { tools, problems } = named("x", ["read file", "read_file", "read/file"]);
	const byDeclared = new Map(tools.map((tool) => [tool.definition.name, tool]));
	assert.equal(byDeclared.get("read_file")?.id, "x:read_file");
	assert.match(byDeclared.get("read file")?.id ?? "", /^x:read_file_[0-9a-f]{6}$/);
	assert.notEqual(byDeclared.get("read file")?.id, byDeclared.get("read/file")?.id);
	assert.equal(problems.length, 2);
	assert(problems.every((problem) => problem.includes("another tool has that name")));
});

test("a name of other letters keeps its id whatever its server adds, and one of underscores is as good as any", () => {
	const [alone] = named("x", ["検索"]).tools;
	assert.match(alone?.id ?? "", /^x:_[0-9a-f]{6}$/);
	const { tools } = named("x", ["一覧", "検索", "__"]);
	assert.equal(tools.find(({ definition }) => definition.name === "検索")?.id, alone?.id);
	assert.equal(tools.find(({ definition }) => definition.name === "__")?.id, "x:__");
});

test("a version is the third part of the id", () => {
	const { tools } = nameTools("api", [
		{ name: "get", version: "2.1" },
		{ name: "get", version: "1.0" },
		{ name: "get" },
	]);
	assert.deepEqual(tools.map((tool) => tool.id).toSorted(), ["api:get", "api:get:1.0", "api:get:2.1"]);
});

test("a name listed twice is taken once and said", () => {
	const { tools, problems } = named("x", ["one", "one"]);
	assert.equal(tools.length, 1);
	assert.deepEqual(problems, ['"one" is listed twice; the first is kept']);
});

test("thousands of long names that begin alike are all told apart", () => {
	const names = Array.from({ length: 10_000 }, (_, index) => `${"the_same_beginning_".repeat(5)}${index}`);
	const ids = named("some-namespace", names).tools.map((tool) => tool.id);
	assert.equal(new Set(ids).size, 10_000);
	assert(ids.every((id) => id.length <= 64));
});

test("a star stands for any run of characters, and a long name takes no longer than it is", () => {
	const matches = (pattern: string, name: string) => compilePattern(pattern)(name);
	fc.assert(
		fc.property(fc.stringMatching(/^[ab*.]{0,8}$/), fc.stringMatching(/^[ab.]{0,12}$/), (pattern, name) => {
			const expression = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`, "s");
			assert.equal(matches(pattern, name), expression.test(name));
		}),
		{ numRuns: 2_000 },
	);
	assert.equal(matches(`${"*a".repeat(12)}*b`, "a".repeat(100_000)), false);
});

test("whatever the names, ids are unique, short, readable, and do not depend on the order of the list", () => {
	fc.assert(
		fc.property(
			fc.uniqueArray(fc.string({ minLength: 1, maxLength: 120, unit: "binary" }), { maxLength: 12 }),
			fc.integer(),
			(names, seed) => {
				const { tools } = named("some-namespace", names);
				const ids = tools.map((tool) => tool.id);
				assert.equal(new Set(ids).size, names.length);
				for (const id of ids) {
					assert(id.length <= 64, id);
					assert.match(id, /^some-namespace:[A-Za-z0-9_.-]+$/);
					assert.equal(parseToolId(id)?.namespace, "some-namespace");
				}
				const shuffled = names.toSorted((a, b) => ((a.length * seed) % 7) - ((b.length * seed) % 7));
				const again = new Map(named("some-namespace", shuffled).tools.map((tool) => [tool.definition.name, tool.id]));
				for (const tool of tools) assert.equal(again.get(tool.definition.name), tool.id);
			},
		),
	);
});

test("a name with direction marks is told without their effect", () => {
	const { problems } = nameTools("a", [{ name: "evil\u001b[31m\u202ename\n" }]);
	assert.deepEqual(problems, [
		'"evil\\u001b[31m\\u202ename\\n" is called evil__31m_name_ here: names have at most 64 letters, digits, _ . -',
	]);
});
