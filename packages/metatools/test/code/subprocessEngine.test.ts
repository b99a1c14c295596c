import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { createSubprocessEngine } from "../../src/code/child/subprocessEngine.ts";
import { execute } from "./catalogue.ts";
import { behavesAsCodeEngine } from "./engineBehaviour.ts";

behavesAsCodeEngine("a subprocess", async () => createSubprocessEngine());

verifies("004-runtime-profile-dev", "the subprocess says on every result that it is unsafe", async (t) => {
	const engine = createSubprocessEngine();
	t.after(() => engine.close?.());
	const warning =
		"UNSAFE: the dev profile ran this code in a plain subprocess with the files, network and rights of this user.";
	const own = await execute(engine, "[typeof process.pid, process.pid]");
	assert.deepEqual([own.warning, own.error], [warning, undefined]);
	assert.ok(Array.isArray(own.value) && own.value[0] === "number" && own.value[1] !== process.pid);
	assert.equal((await execute(engine, "throw 1")).warning, warning);
	assert.equal((await execute(engine, "1", { language: "cobol" })).warning, warning);
});

verifies("004-runtime-profile-dev", "what the subprocess started ends with it", async (t) => {
	const engine = createSubprocessEngine();
	t.after(() => engine.close?.());
	const code = `const { spawn } = process.getBuiltinModule("node:child_process");
		const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
		child.unref();
		return child.pid`;
	const { value } = await execute(engine, code);
	assert.equal(typeof value, "number");
	assert.equal(await isRunning(Number(value)), false);
});

void test("code that ends its process is not worth repeating", async (t) => {
	const engine = createSubprocessEngine();
	t.after(() => engine.close?.());
	const { error, toolCalls } = await execute(engine, "await tools.ping(); process.exit(0)");
	assert.deepEqual(error, {
		code: "execution_failed",
		message: "The code ended its process (exit code 0).",
		op: "execute",
		retryable: false,
		details: { reason: "exited" },
	});
	assert.deepEqual(
		toolCalls.map(({ tool_id, ok }) => [tool_id, ok]),
		[["ping", true]],
	);
});

void test("a process that is lost may be tried again, unless it has called tools", async (t) => {
	const engine = createSubprocessEngine();
	t.after(() => engine.close?.());
	const lost = async (code: string) => {
		const { error } = await execute(
			engine,
			`${code}; process.kill(process.pid, "SIGTERM"); await new Promise(() => {})`,
		);
		return [error?.code, error?.details?.reason, error?.retryable];
	};
	assert.deepEqual(await lost("1"), ["internal", "crashed", true]);
	assert.deepEqual(await lost("await tools.ping()"), ["internal", "crashed", false]);
});

void test("JSON that the code's own processes print is output", async (t) => {
	const engine = createSubprocessEngine();
	t.after(() => engine.close?.());
	const code = `process.getBuiltinModule("node:child_process").execSync("echo 7; echo '{\\"kind\\":1}'", { stdio: "inherit" });
		return 5`;
	const { value, stdout, error } = await execute(engine, code);
	assert.deepEqual([value, stdout, error], [5, '7\n{"kind":1}\n', undefined]);
});

/** One that has ended and that nobody has collected yet does not run. */
async function isRunning(pid: number): Promise<boolean> {
	try {
		process.kill(pid, 0);
		const stat = await readFile(`/proc/${pid}/stat`, "utf8");
		return !/\) [ZX] /.test(stat);
	} catch {
		return false;
	}
}

test("a module that somebody left among everybody's temporary files is not found by the code", async (t) => {
	const temporary = mkdtempSync(join(tmpdir(), "planted-"));
	const { TMPDIR } = process.env;
	t.after(() => {
		if (TMPDIR === undefined) delete process.env.TMPDIR;
		else process.env.TMPDIR = TMPDIR;
		rmSync(temporary, { recursive: true, force: true });
	});
	mkdirSync(join(temporary, "node_modules"));
	writeFileSync(join(temporary, "node_modules/planted.js"), "module.exports = 'somebody else\\'s code'");
	process.env.TMPDIR = temporary;
	const engine = createSubprocessEngine();
	t.after(() => engine.close?.());
	const { value, error } = await execute(engine, 'require("planted")');
	assert.equal(value, null);
	assert.match(error?.message ?? "", /Cannot find module 'planted'/);
});
