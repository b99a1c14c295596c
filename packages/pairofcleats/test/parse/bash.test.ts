import assert from "node:assert/strict";
import { test } from "node:test";
import { parsed } from "./soundFile.ts";

test("a program in the current folder is run and not imported by Bash", async () => {
	const { imports } = await parsed("a.sh", ". lib.sh\nsource ./more.sh\n./configure --prefix\n.venv/bin/run all\n");
	assert.deepEqual(imports, ["lib.sh", "./more.sh"]);
});
