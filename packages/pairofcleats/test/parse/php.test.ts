import assert from "node:assert/strict";
import { test } from "node:test";
import { parsed } from "./soundFile.ts";

test("the word of PHP's X::class is no name that is used", async () => {
	const { chunks } = await parsed(
		"a.php",
		"<?php\nfunction f($it) {\n  bind(Store::class, static::class, $it::class, Store::LIMIT);\n}\n",
	);
	assert.deepEqual(chunks[1]?.facts?.uses, ["Store", "it", "LIMIT"]);
});
