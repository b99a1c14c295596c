import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFile } from "../../src/parse/parseFile.ts";

/** `total += e` in a function, in every language that has such an assignment. */
const APPENDING = {
	"a.c": "int add(int e) {\n  total += e;\n  return 1;\n}\n",
	"a.cpp": "int add(int e) {\n  total += e;\n  return 1;\n}\n",
	"a.cs": "class A {\n    int Add(int e) {\n        total += e;\n        return 1;\n    }\n}\n",
	"a.go": "package a\n\nfunc add(e int) int {\n\ttotal += e\n\treturn 1\n}\n",
	"A.java": "class A {\n    int add(int e) {\n        total += e;\n        return 1;\n    }\n}\n",
	"a.kt": "fun add(e: Int): Int {\n    total += e\n    return 1\n}\n",
	"a.swift": "func add(e: Int) -> Int {\n    total += e\n    return 1\n}\n",
	"a.scala": "object A {\n  def add(e: Int): Int = {\n    total += e\n    1\n  }\n}\n",
	"a.sh": 'add() {\n  total+="$e"\n  return 1\n}\n',
	"a.ts": "function add(e: number) {\n\ttotal += e;\n\treturn 1;\n}\n",
	"a.py": "def add(e):\n    total += e\n    return 1\n",
	"a.rb": "def add(e)\n  total += e\n  1\nend\n",
	"a.php": "<?php\nfunction add($e) {\n  $total += $e;\n  return 1;\n}\n",
	"a.rs": "fn add(e: i32) -> i32 {\n    total += e;\n    1\n}\n",
	"a.gd": "func add(e):\n\ttotal += e\n\treturn 1\n",
} as const;

for (const [path, source] of Object.entries(APPENDING)) {
	test(`${path}: a compound assignment reads and writes its target, which is no alias`, async () => {
		const { chunks } = await parseFile(path, source);
		const facts = chunks.find(({ name }) => name.toLowerCase() === "add")?.facts;
		assert.deepEqual(facts?.writes, ["total"]);
		assert.ok(facts?.reads?.includes("total") && facts.reads.includes("e"), String(facts?.reads));
		assert.deepEqual(facts?.aliases, []);
	});
}

test("a plain assignment replaces its target and is an alias", async () => {
	const { chunks } = await parseFile("a.go", "package a\n\nfunc set(e int) int {\n\ttotal = e\n\treturn 1\n}\n");
	assert.deepEqual(chunks.at(-1)?.facts?.reads, ["e"]);
	assert.deepEqual(chunks.at(-1)?.facts?.aliases, ["total=e"]);
});

test("Scala's comparisons assign nothing", async () => {
	const { chunks } = await parseFile(
		"a.scala",
		"def same(a: Int, b: Int) = {\n  a <= b || a >= b || a != b || a == b\n}\n",
	);
	assert.deepEqual(chunks.at(-1)?.facts?.writes, []);
});

/** Appends a harmless text to input, then gives it to a sink. */
const FLOWS = {
	"A.java": [
		'class A {\n    void run(Req req) {\n        String q = req.getParameter("q");\n        q += " x";\n        statement.executeQuery(q);\n    }\n}\n',
		"http-input->sql-query",
	],
	"a.go": [
		'package a\n\nfunc run(r *http.Request) {\n\tq := r.FormValue("q")\n\tq += " x"\n\tdb.Query(q)\n}\n',
		"http-input->sql-query",
	],
	"a.cs": [
		'class A {\n    void Run() {\n        var q = Request.Query["x"];\n        q += " x";\n        Process.Start(q);\n    }\n}\n',
		"http-input->command-exec",
	],
	"a.kt": [
		'fun run(request: Req) {\n    var q = request.getParameter("q")\n    q += " x"\n    Runtime.getRuntime().exec(q)\n}\n',
		"http-input->command-exec",
	],
	"a.cpp": [
		'int main(int argc, char** argv) {\n  std::string s = argv[1];\n  s += " x";\n  system(s.c_str());\n}\n',
		"arguments->command-exec",
	],
	"a.sh": ['run() {\n  q=$1\n  q+=" x"\n  eval "$q"\n}\n', "arguments->code-eval"],
} as const;

for (const [path, [source, flow]] of Object.entries(FLOWS)) {
	test(`${path}: input stays input when something is appended to it`, async () => {
		const { chunks } = await parseFile(path, source);
		assert.deepEqual(
			chunks.flatMap(({ facts }) => facts?.risk?.flows ?? []),
			[flow],
		);
	});
}
