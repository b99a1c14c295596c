import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { parseFile } from "../../../src/parse/parseFile.ts";
import { shareFlagLock } from "../../../src/parse/tree/baselineCode.ts";

const source = (path: string): string => JSON.stringify(new URL(`../../../src/parse/${path}`, import.meta.url).href);

function start(code: string): Worker {
	const program = `import { parentPort } from "node:worker_threads"; ${code}`;
	const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
	return new Worker(url, { execArgv: ["--disable-warning=ExperimentalWarning"] });
}

test("a thread waits until no other one changes V8's flags", { timeout: 60_000 }, async (t) => {
	const lock = shareFlagLock();
	Atomics.store(lock, 0, 1);
	const worker = start(`
		import { withFlags } from ${source("tree/baselineCode.ts")};
		parentPort.postMessage("at the door");
		withFlags(() => {});
		parentPort.postMessage("through");`);
	t.after(() => worker.terminate());
	const told: string[] = [];
	worker.on("message", (message: string) => told.push(message));
	await once(worker, "message");
	await wait(300);
	assert.deepEqual(told, ["at the door"]);
	Atomics.store(lock, 0, 0);
	Atomics.notify(lock, 0);
	await once(worker, "message");
	assert.deepEqual(told, ["at the door", "through"]);
	assert.equal(Atomics.load(lock, 0), 0);
});

test("a thread that ended while it changed them stops no other for long", { timeout: 60_000 }, async () => {
	const lock = shareFlagLock();
	Atomics.store(lock, 0, 1);
	const { method } = await parseFile("a.sh", "f() {\n\techo 1\n}\n");
	assert.equal(method, "grammar");
	assert.equal(Atomics.load(lock, 0), 0);
});

test("files are parsed in a worker thread as in the main one", { timeout: 120_000 }, async () => {
	const worker = start(`
		import { parseFile } from ${source("parseFile.ts")};
		const kotlin = await parseFile("a.kt", "class A {\\n    fun f() {\\n        g()\\n    }\\n}\\n");
		const typescript = await parseFile("a.ts", "export function f() {\\n\\treturn 1;\\n}\\n");
		parentPort.postMessage([kotlin.method, kotlin.chunks.map((chunk) => chunk.qualifiedName), typescript.chunks[0].name]);`);
	const [answer] = await once(worker, "message");
	await worker.terminate();
	assert.deepEqual(answer, ["grammar", ["A", "A.f"], "f"]);
});
