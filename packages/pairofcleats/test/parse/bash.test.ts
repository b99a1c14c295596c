import assert from "node:assert/strict";
import { test } from "node:test";
import { named, parsed } from "./soundFile.ts";

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

test("a coprocess does not end the Bash function that starts it", async () => {
	const file = await parsed(
		"a.sh",
		"go() {\n  coproc WORKER { cat; }\n  coproc { helper; }\n  coproc tail -f log\n  last\n}\nafter() {\n  one\n}\n",
	);
	assert.deepEqual(named(file), ["1-6 function go", "7-9 function after"]);
	assert.deepEqual(file.chunks[0]?.facts?.calls, ["cat", "helper", "coproc", "last"]);
});
