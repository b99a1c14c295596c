import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFile } from "../../src/parse/parseFile.ts";

async function inferredIn(path: string, text: string): Promise<readonly string[] | undefined> {
	const { chunks } = await parseFile(path, text);
	return chunks.find(({ name }) => name === "work")?.facts?.inferredTypes;
}

test("a number has the type that its declaration or its suffix gives it, not that of the literal alone", async () => {
	const rust = 'fn work() {\n\tlet n: u64 = 5;\n\tlet m = 7u8;\n\tlet x: f32 = 1.5;\n\tlet s: &str = "a";\n}\n';
	assert.deepEqual(await inferredIn("a.rs", rust), ["u64", "u8", "f32", "&str"]);
	assert.deepEqual(await inferredIn("a.rs", "fn work() {\n\tlet n = 5;\n\tlet x = 1.5;\n}\n"), ["i32", "f64"]);
	const c =
		'void work(void) {\n\tdouble d = 1.5;\n\tunsigned long n = 3;\n\tfloat *p = 0;\n\tconst char *s = "a";\n}\n';
	assert.deepEqual(await inferredIn("a.c", c), ["double", "unsigned long", "number", "char*"]);
	assert.deepEqual(await inferredIn("a.cpp", "void work() {\n\tauto d = 1.5;\n}\n"), ["number"]);
	const java = "class A {\n\tvoid work() {\n\t\tlong n = 5;\n\t\tvar m = 6;\n\t}\n}\n";
	assert.deepEqual(await inferredIn("A.java", java), ["long", "int"]);
});

test("a Ruby method returns its last value, and an empty one is a method that returns none", async () => {
	const text = `class Store
  def empty
  end

  def brief; end

  def value
    compute(1)
  end

  def told
    puts "x"
  end

  def nothing
    nil
  end

  def short = 5

  def rescued
    open
  rescue IOError
    nil
  end

  def initialize
    @a = 1
  end
end
`;
	const { chunks } = await parseFile("store.rb", text);
	assert.deepEqual(
		chunks.filter(({ kind }) => kind !== "class").map(({ name, facts }) => [name, facts?.returns]),
		[
			["empty", false],
			["brief", false],
			["value", true],
			["told", false],
			["nothing", false],
			["short", true],
			["rescued", true],
			["initialize", false],
		],
	);
});
