import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { parseFile } from "../../../src/parse/parseFile.ts";

const PARSER = new URL("../../../src/parse/parseFile.ts", import.meta.url).href;
const KOTLIN = "class A {\n    fun f() {\n        g()\n    }\n}\n";
const RUN = `const { parseFile } = await import(${JSON.stringify(PARSER)});
const kotlin = await parseFile("a.kt", ${JSON.stringify(KOTLIN)});
const typescript = await parseFile("a.ts", "export function f() {\\n\\treturn 1;\\n}\\n");`;
const FLAGS = ["--disable-warning=ExperimentalWarning"];

test("a grammar that the optimising compiler cannot handle still works", async () => {
	const parsed = await parseFile("a.kt", KOTLIN);
	assert.equal(parsed.method, "grammar");
	assert.deepEqual(
		parsed.chunks.map((chunk) => chunk.qualifiedName),
		["A", "A.f"],
	);
});

test("texts parsed at the same time each get their own result", async () => {
	const names = Array.from({ length: 40 }, (_, index) => `f${index}`);
	const parsed = await Promise.all(names.map((name) => parseFile("a.kt", `fun ${name}() {\n    g()\n}\n`)));
	assert.deepEqual(
		parsed.map(({ chunks }) => chunks[0]?.name),
		names,
	);
});

test("files are parsed in a worker thread as in the main one", { timeout: 120_000 }, async () => {
	const code = `import { parentPort } from "node:worker_threads"; ${RUN} parentPort.postMessage([kotlin.method, typescript.chunks[0].name]);`;
	const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { execArgv: FLAGS });
	const [answer] = await once(worker, "message");
	await worker.terminate();
	assert.deepEqual(answer, ["grammar", "f"]);
});

test("the helper process does not keep its parent alive, and exits with it", {
	timeout: 120_000,
	skip: process.platform === "linux" ? false : "reads /proc",
}, async () => {
	const mark = `CLEATS_TEST_${randomUUID()}`;
	const env = { ...process.env, [mark]: "1" };
	const output = execFileSync(
		process.execPath,
		[...FLAGS, "--input-type=module", "-e", `${RUN} console.log(kotlin.method);`],
		{ env, encoding: "utf8" },
	);
	assert.equal(output.trim(), "grammar");
	await untilNone(mark);
	const killed = spawn(
		process.execPath,
		[...FLAGS, "--input-type=module", "-e", `${RUN} console.log("up"); setInterval(() => {}, 1000);`],
		{ env, stdio: ["ignore", "pipe", "inherit"] },
	);
	await once(killed.stdout, "data");
	assert.equal(withMark(mark).length, 2);
	killed.kill("SIGKILL");
	await untilNone(mark);
});

async function untilNone(mark: string): Promise<void> {
	for (let round = 0; round < 300 && withMark(mark).length > 0; round += 1) await wait(100);
	assert.deepEqual(withMark(mark), []);
}

function withMark(mark: string): string[] {
	return readdirSync("/proc").filter((pid) => {
		if (!/^\d+$/.test(pid)) return false;
		try {
			return (
				readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark) &&
				!/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"))
			);
		} catch {
			return false;
		}
	});
}
