import assert from "node:assert/strict";
import { test } from "node:test";
import { parsed } from "./soundFile.ts";

test("a program in the current folder is run and not imported by Bash", async () => {
	const { imports } = await parsed("a.sh", ". lib.sh\nsource ./more.sh\n./configure --prefix\n.venv/bin/run all\n");
	assert.deepEqual(imports, ["lib.sh", "./more.sh"]);
});

test("arithmetic of Bash writes the variables that it assigns", async () => {
	const { chunks } = await parsed(
		"a.sh",
		`count() {
  (( i++ ))
  ((j = k + 1, m += 2))
  echo $(( s++ )) $(( n > 3 ))
  let n=3 "p = n + 1" q++ 'r+=1'
  (( --t ))
  [[ $x = y && $x == z ]]
}
`,
	);
	assert.deepEqual(chunks[0]?.facts?.writes, ["i", "j", "m", "s", "n", "p", "q", "r", "t"]);
	assert.deepEqual(chunks[0]?.facts?.reads, ["k", "m", "s", "n", "t", "x"]);
});
