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
		letGo({ version: "1", text: "here", warnings: [], blockedMs: 0 });
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
