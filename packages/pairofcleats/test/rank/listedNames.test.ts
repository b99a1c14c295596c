import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureOf } from "../filter/fixtureRepository.ts";

/** Mentions a name more often than its declaration does. */
function uses(name: string): string {
	return Array.from({ length: 6 }, () => `print(${name});`).join(" ");
}

const FILES = {
	"limits.py": "import os\n\nFIRST_LIMIT = 1\nMOST_NESTED = 255\nLAST_LIMIT = 3\n",
	"usage.py": `def check(most_nested):\n    ${uses("MOST_NESTED")}\n\ndef most_nested():\n    return 1\n`,
	"Reader.java":
		"class Reader {\n  static final int FIRST = 1;\n  static final int NESTING_LIMIT = 255;\n\n  int depth() { return 1; }\n}\n",
	"Usage.java": `class Usage {\n  void use() {\n    ${uses("Reader.NESTING_LIMIT")}\n  }\n}\n`,
	"options.go": "package a\n\ntype Options struct {\n\tFirst bool\n\t// Quiet is off by default.\n\tQuiet bool\n}\n",
	"run.go": `package a\n\nfunc run(o Options) {\n\t${uses("o.Quiet")}\n}\n`,
	"account.rb": "class Account\n  attr_reader :first\n  attr_accessor :balance_cents\nend\n",
	"report.rb": `def report(account)\n  ${uses("account.balance_cents")}\nend\n`,
	"settings.json": '{ "first": 1, "Quiet": true }\n',
};

test("a constant or a field without a chunk of its own is found where it is declared, before its uses", async (t) => {
	const { repository, remove } = await fixtureOf(FILES);
	t.after(remove);
	for (const [query, path, line] of [
		["MOST_NESTED", "limits.py", 4],
		["limits.MOST_NESTED", "limits.py", 4],
		["where is MOST_NESTED defined", "limits.py", 4],
		["NESTING_LIMIT", "Reader.java", 3],
		["Reader.NESTING_LIMIT", "Reader.java", 3],
		["Quiet", "options.go", 6],
		["Options.Quiet", "options.go", 6],
		["definition of Options.Quiet", "options.go", 6],
		["balance_cents", "account.rb", 3],
	] as const) {
		const [first] = (await repository.search({ query, context: 0 })).hits;
		assert.deepEqual([first?.path, first?.snippet.matched], [path, [line]], query);
	}
});

test("an owner that declares no such field leaves the lines that have the name as written first", async (t) => {
	const { repository, remove } = await fixtureOf(FILES);
	t.after(remove);
	const { hits } = await repository.search({ query: "o.Quiet" });
	assert.equal(hits[0]?.path, "run.go");
});

test("neither an import nor a test's own value is a declaration of a name that other code has", async (t) => {
	const { repository, remove } = await fixtureOf({
		"src/store.js": `function openStore() {\n\treturn 1;\n}\nmodule.exports = { openStore };\n`,
		"src/a.js": 'const Store = require("./store");\nconst BATCH = 3;\n',
		"src/work.js": `function work() {\n\t${uses("Store.openStore")}\n\t${uses("process.env.BATCH_TIMEOUT")}\n}\n`,
		"test/work.test.js": "const BATCH_TIMEOUT = 10;\nconst OTHER = 1;\n",
	});
	t.after(remove);
	const first = async (query: string) => (await repository.search({ query })).hits[0]?.path;
	assert.notEqual(await first("Store"), "src/a.js");
	assert.equal(await first("BATCH_TIMEOUT"), "src/work.js");
	assert.equal(await first("OTHER"), "test/work.test.js");
});

test("a constant that very many files use is found where one of them declares it", async (t) => {
	const filler = Array.from({ length: 60 }, (_, at) => `#define OTHER_${at} ${at}`).join("\n");
	const users = Array.from({ length: 130 }, (_, at) => [
		`lib/user${at}.c`,
		`int user${at}(void) {\n  ${uses("RESULT_OK")}\n  return RESULT_OK;\n}\n`,
	]);
	const { repository, remove } = await fixtureOf({
		"include/all.h": `${filler}\ntypedef enum {\n  RESULT_OK = 0,\n  RESULT_BAD\n} Result;\n`,
		...Object.fromEntries(users),
	});
	t.after(remove);
	const [first] = (await repository.search({ query: "RESULT_OK", context: 0 })).hits;
	assert.deepEqual([first?.path, first?.snippet.matched], ["include/all.h", [62]]);
});

test("a property of PHP is found with and without its sigil", async (t) => {
	const { repository, remove } = await fixtureOf({
		"Model.php": "<?php\nclass Model {\n  protected $first = 1;\n  protected $fillable = [];\n}\n",
		"use.php": `<?php\nfunction check($model) {\n  ${uses("$model->fillable")}\n}\n`,
	});
	t.after(remove);
	for (const query of ["$fillable", "fillable", "Model::$fillable"]) {
		const [first] = (await repository.search({ query, context: 0 })).hits;
		assert.deepEqual([first?.path, first?.snippet.matched], ["Model.php", [4]], query);
	}
});

test("code of a name comes before a field that is called so", async (t) => {
	const { repository, remove } = await fixtureOf({
		"field.ts": "export class Field {\n\tretries = 1;\n\n\tretries2 = 2;\n}\n",
		"code.ts": "export function retries(): number {\n\treturn 3;\n}\n",
	});
	t.after(remove);
	const { hits } = await repository.search({ query: "retries" });
	assert.equal(hits[0]?.path, "code.ts");
});
