import assert from "node:assert/strict";
import { test } from "node:test";
import { isCleatsError } from "../../src/contract/errors.ts";
import type { Found, SearchJob } from "../../src/searching/searchJob.ts";
import { SearchPool } from "../../src/searching/searchPool.ts";

const { signal } = new AbortController();

function job(query: string): SearchJob {
	return { root: "/", open: {}, state: { version: "1", checkedAt: "" }, request: { query } };
}

/** Keeps the calling thread busy until released, so that every other search goes to a thread. */
function held(pool: SearchPool): () => Promise<Found> {
	let letGo = (_found: Found): void => {};
	const found = new Promise<Found>((resolve) => {
		letGo = resolve;
	});
	const running = pool.run(job("held"), () => found, signal);
	return () => {
		letGo({ version: "1", text: "here", warnings: [], trueUntil: Number.POSITIVE_INFINITY, blockedMs: 0 });
		return running;
	};
}

const neverHere = (): Promise<Found> => Promise.reject(new Error("a search was run on the caller's own thread"));

test("a search under which three threads died is given up, and the other searches are answered", async () => {
	const pool = new SearchPool({ threads: 1, waitsBeforeThreads: 1, beside: import.meta.url });
	try {
		const letGo = held(pool);
		const deadly = pool.run(job("deadly"), neverHere, signal);
		await assert.rejects(deadly, (error) => {
			assert.ok(isCleatsError(error));
			assert.equal(error.code, "INTERNAL");
			assert.equal(error.message, "3 search threads ended under this search");
			return true;
		});
		const answers = await Promise.all(
			[1, 2, 3].map((number) => pool.run(job(`harmless ${number}`), neverHere, signal)),
		);
		// The same thread, and the fourth one: each of the three before it has really ended.
		assert.deepEqual([...new Set(answers.map(({ text }) => text))], ["thread 4"]);
		assert.equal(pool.load.answeredThere, 3);
		assert.equal((await letGo()).text, "here");
	} finally {
		await pool.close();
	}
});

test("cancelling a search that has not begun leaves the thread to the one that it works on", async () => {
	const pool = new SearchPool({ threads: 1, waitsBeforeThreads: 1, beside: import.meta.url });
	try {
		const letGo = held(pool);
		const { text } = await pool.run(job("harmless"), neverHere, signal);
		const long = pool.run(job("long"), neverHere, signal);
		for (let round = 0; round < 3; round++) {
			const unwanted = new AbortController();
			const queued = pool.run(job("long"), neverHere, unwanted.signal);
			unwanted.abort(new DOMException("not wanted", "AbortError"));
			await assert.rejects(queued, { name: "AbortError" });
		}
		assert.equal((await long).text, text, "the same thread has answered");
		await letGo();
	} finally {
		await pool.close();
	}
});

test("a thread that keeps on with a cancelled search is ended, and another answers those behind it", async () => {
	const pool = new SearchPool({ threads: 1, waitsBeforeThreads: 1, beside: import.meta.url });
	try {
		const letGo = held(pool);
		const threads = new Set([(await pool.run(job("harmless"), neverHere, signal)).text]);
		const unwanted = Array.from({ length: 4 }, () => new AbortController());
		const searches = unwanted.map((stop) => pool.run(job("long"), neverHere, stop.signal));
		const wanted = pool.run(job("harmless"), neverHere, signal);
		for (const stop of unwanted) stop.abort(new DOMException("not wanted", "AbortError"));
		for (const search of searches) await assert.rejects(search, { name: "AbortError" });
		threads.add((await wanted).text);
		assert.equal(threads.size, 2);
		await letGo();
	} finally {
		await pool.close();
	}
});
