import assert from "node:assert/strict";
import { test } from "node:test";
import { named, parsed } from "./soundFile.ts";

test("the word of PHP's X::class is no name that is used", async () => {
	const { chunks } = await parsed(
		"a.php",
		"<?php\nfunction f($it) {\n  bind(Store::class, static::class, $it::class, Store::LIMIT);\n}\n",
	);
	assert.deepEqual(chunks[1]?.facts?.uses, ["Store", "it", "LIMIT"]);
});

test("an anonymous class of PHP that a variable is given has the variable's name and its own ancestors", async () => {
	const file = await parsed(
		"a.php",
		`<?php
$store = new class($db) extends Base implements Reader {
    public function read() {
        return 1;
    }
};
`,
	);
	assert.deepEqual(named(file), ["2-6 class store", "3-5 method store.read"]);
	assert.deepEqual([file.chunks[1]?.facts?.extends, file.chunks[1]?.facts?.implements], [["Base"], ["Reader"]]);
});

test("a PHP variable may be named class", async () => {
	const { chunks } = await parsed(
		"a.php",
		"<?php\nfunction f($x) {\n  $class = $x::class;\n  return new $class();\n}\n",
	);
	assert.deepEqual([chunks[1]?.facts?.writes, chunks[1]?.facts?.uses], [["class"], ["class", "x"]]);
});
