import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import { type RegexJob, startRegexRunner } from "../../src/expression/regexSearch.ts";

/** Fails the test if a thread never ends, instead of hanging. */
const TIMELY = { timeout: 120_000 } as const;
const JOB: RegexJob = { kind: "paths", source: "b+", flags: "u", paths: ["src/abba.ts", "src/cd.ts", "lib/bee.ts"] };

test("a thread is reused, ends after being idle, and is replaced when needed", TIMELY, async (t) => {
	const threads = startedThreads(t);
	const runner = startRegexRunner(300);
	t.after(() => runner.close());
	for (let round = 0; round < 3; round++) assert.deepEqual(await targetsOf(runner), [0, 2]);
	assert.equal(threads.length, 1);
	await ended(threads[0]);
	assert.deepEqual(await targetsOf(runner), [0, 2]);
	assert.equal(threads.length, 2);
});

test("a thread in use stays, and closing ends it at once", TIMELY, async (t) => {
	const threads = startedThreads(t);
	const runner = startRegexRunner(3_600_000);
	assert.deepEqual(await targetsOf(runner), [0, 2]);
	assert.notEqual(threads[0]?.threadId, -1);
	await runner.close();
	await ended(threads[0]);
});

async function targetsOf(runner: ReturnType<typeof startRegexRunner>): Promise<number[]> {
	const { matches, unsearched } = await runner.run(JOB, 60_000);
	assert.deepEqual(unsearched, []);
	return [...matches.keys()];
}

/** Waits until a thread has ended. */
async function ended(thread: Worker | undefined): Promise<void> {
	assert.ok(thread);
	// An idle thread does not keep the process alive, so a timer does while its end is awaited.
	const waiting = setInterval(() => undefined, 60_000);
	try {
		if (thread.threadId !== -1) await once(thread, "exit");
	} finally {
		clearInterval(waiting);
	}
}

function startedThreads(t: TestContext): Worker[] {
	const threads: Worker[] = [];
	const hear = (message: unknown): void => {
		if (typeof message === "object" && message && "worker" in message && message.worker instanceof Worker) {
			threads.push(message.worker);
		}
	};
	subscribe("worker_threads", hear);
	t.after(() => unsubscribe("worker_threads", hear));
	return threads;
}
