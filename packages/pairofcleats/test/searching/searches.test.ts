import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { success } from "../../src/contract/envelope.ts";
import type { SearchRequest } from "../../src/query/request.ts";
import type { Hit } from "../../src/query/result.ts";
import type { Decision, Finding } from "../../src/records/record.ts";
import { Searches } from "../../src/searching/searches.ts";
import { type Found, runSearchJob } from "../../src/searching/searchJob.ts";
import { SearchPool } from "../../src/searching/searchPool.ts";
import { SearchWorker } from "../../src/searching/searchWorker.ts";
import { searchPayload, WrittenSearch, writeEnvelope } from "../../src/searching/writtenSearch.ts";
import { RecordStore } from "../../src/triage/recordStore.ts";
import { type Fixture, fixtureOf } from "../filter/fixtureRepository.ts";

const FILES = Object.fromEntries(
	Array.from({ length: 40 }, (_, at) => [
		`src/part${at}.ts`,
		`/** Says "hello" \\ to part ${at}. */\nexport function greet${at}(name: string): string {\n\treturn name + word${at % 7};\n}\n`,
	]),
);
const FINDING: Finding = {
	recordId: `finding-${"0".repeat(32)}`,
	recordType: "finding",
	source: "generic",
	createdAt: "2026-01-01T00:00:00.000Z",
	updatedAt: "2026-01-01T00:00:00.000Z",
	vuln: { vulnId: "X-1", title: "Greets strangers", severity: "low" },
	warnings: [],
};
const DECISION: Decision = {
	recordId: `decision-${"0".repeat(32)}`,
	recordType: "decision",
	source: "manual",
	createdAt: "2026-01-02T00:00:00.000Z",
	finding: FINDING.recordId,
	status: "accept",
	vuln: FINDING.vuln,
};
const never = new AbortController().signal;

describe("searches as text", () => {
	let fixture: Fixture;
	const open = (): { cacheRoot: string; model: null } => ({ cacheRoot: fixture.cacheRoot, model: null });
	const plainly = async (request: SearchRequest): Promise<unknown> =>
		JSON.parse(JSON.stringify(searchPayload(await fixture.repository.search(request))));

	before(async () => {
		fixture = await fixtureOf(FILES, { freshnessMs: 0 });
	});
	after(() => fixture.remove());

	test("the text is the engine's payload, cached until the index changes", async (t) => {
		const searches = new Searches({ threads: 0 });
		t.after(() => searches.close());
		const ask = (request: SearchRequest): Promise<WrittenSearch> =>
			searches.answer(fixture.repository, open(), request, never);
		const first = await ask({ query: "greet word3" });
		assert.deepEqual(JSON.parse(first.text), await plainly({ query: "greet word3" }));
		const second = await ask({ query: "greet word3" });
		assert.equal(second.text, first.text);
		assert.equal(await ask({ query: "greet word3" }), second, "from the second time on it is kept");
		const filtered = await ask({ query: "greet word3", path: ["part1"] });
		assert.deepEqual(JSON.parse(filtered.text), await plainly({ query: "greet word3", path: ["part1"] }));
		assert.notEqual(filtered.text, first.text);
		writeFileSync(join(fixture.root, "src/late.ts"), "export function greetLate(): string {\n\treturn word3;\n}\n");
		const changed = await ask({ query: "greet word3" });
		assert.notEqual(changed.text, first.text);
		assert.match(changed.text, /greetLate/);
		assert.deepEqual(JSON.parse(changed.text), await plainly({ query: "greet word3" }));
	});

	test("a decision that has expired is not given from the cache as being in force", async (t) => {
		const recordsDir = mkdtempSync(join(tmpdir(), "cleats-lapsing-"));
		t.after(() => rmSync(recordsDir, { recursive: true, force: true }));
		const store = new RecordStore(recordsDir);
		store.putFinding(FINDING);
		store.addDecision({ ...DECISION, expiresAt: "2999-01-01T00:00:00.000Z" });
		const kept = await fixtureOf(FILES, { recordsDir });
		t.after(() => kept.remove());
		const searches = new Searches({ threads: 0 });
		t.after(() => searches.close());
		const decisions = async (): Promise<unknown[]> => {
			const request: SearchRequest = { query: "*", mode: "records", meta: ["recordType=finding"] };
			const { text } = await searches.answer(kept.repository, { ...open(), recordsDir }, request, never);
			return JSON.parse(text).hits.map(({ record }: Hit) => record?.decision);
		};
		for (const _ of [1, 2, 3]) assert.deepEqual(await decisions(), ["accept"]);
		t.mock.timers.enable({ apis: ["Date"], now: Date.parse("2999-01-02") });
		assert.deepEqual(await decisions(), [null]);
	});

	test("searches that would have to wait run on threads, and each gets its own answer", async (t) => {
		const searches = new Searches({ threads: 2, waitsBeforeThreads: 1 });
		t.after(() => searches.close());
		const requests: SearchRequest[] = Array.from({ length: 120 }, (_, at) => ({
			query: `greet${at % 40} word${at % 7} ${at}`,
			top: 1 + (at % 5),
		}));
		// The threads are still starting; nothing waits for them.
		await Promise.all(requests.map((request) => searches.answer(fixture.repository, open(), request, never)));
		await until(() => searches.load.ready === 2, "the threads");
		const later = requests.map((request, at) => ({ ...request, offset: at % 3 }));
		const answers = await Promise.all(
			later.map((request) => searches.answer(fixture.repository, open(), request, never)),
		);
		assert.ok(searches.load.answeredThere > 0, "no thread answered anything");
		for (const [at, request] of later.entries()) {
			assert.deepEqual(JSON.parse(answers[at]?.text ?? ""), await plainly(request), JSON.stringify(request));
		}
		const bad = later.map((request) => ({ ...request, modifiedAfter: "never" }));
		for (const outcome of await Promise.allSettled(
			bad.map((request) => searches.answer(fixture.repository, open(), request, never)),
		)) {
			assert.equal(outcome.status === "rejected" && outcome.reason.code, "INVALID_REQUEST");
		}
	});

	test("a cancelled search rejects at once, queued or on a thread, and the others are answered", async (t) => {
		const pool = new SearchPool({ threads: 1, waitsBeforeThreads: 1 });
		t.after(() => pool.close());
		const state = await fixture.repository.state();
		const ask = (query: string, signal: AbortSignal): Promise<Found> => {
			const job = { root: fixture.root, open: open(), state, request: { query } };
			return pool.run(job, () => runSearchJob(fixture.repository, job), signal);
		};
		const release = Promise.withResolvers<Found>();
		const job = { root: fixture.root, open: open(), state, request: { query: "greet0" } };
		// Keeps the calling thread busy.
		const held = pool.run(job, () => release.promise, never);
		const stop = new AbortController();
		const early = ask("greet1", stop.signal);
		assert.equal(pool.load.waiting, 1);
		stop.abort(new DOMException("not wanted", "AbortError"));
		await assert.rejects(early, { name: "AbortError" });
		assert.equal(pool.load.waiting, 0);
		await until(() => pool.load.ready === 1, "the thread");
		const stopThere = new AbortController();
		const there = ask("greet2", stopThere.signal);
		assert.equal(pool.load.waiting, 0, "a thread has it");
		stopThere.abort(new DOMException("not wanted", "AbortError"));
		await assert.rejects(there, { name: "AbortError" });
		assert.match((await ask("greet3", never)).text, /greet3/);
		release.resolve(await runSearchJob(fixture.repository, job));
		assert.match((await held).text, /greet0/);
	});

	test("after slow searches, the next ones run on a thread", async (t) => {
		const searches = new Searches({ threads: 1, slowMs: 0 });
		t.after(() => searches.close());
		const ask = (query: string, signal: AbortSignal): Promise<WrittenSearch> =>
			searches.answer(fixture.repository, open(), { query }, signal);
		await ask("greet1", never);
		assert.equal(searches.load.ready, 0, "one may be the machine's doing");
		await ask("greet11", never);
		await until(() => searches.load.ready === 1, "the thread");
		assert.deepEqual(JSON.parse((await ask("greet2", never)).text), await plainly({ query: "greet2" }));
		assert.equal(searches.load.answeredThere, 1);
	});

	test("a job whose thread is ended is reported as stopped, so that it can be retried", async () => {
		const ready = Promise.withResolvers<void>();
		const worker = new SearchWorker({ onReports: () => ready.resolve(), onEnd: () => {} });
		await ready.promise;
		const state = await fixture.repository.state();
		const outcome = new Promise((resolve) => {
			worker.add({}, { root: fixture.root, open: open(), state, request: { query: "greet" } }, resolve);
		});
		worker.send();
		await worker.end();
		assert.equal(await outcome, "stopped");
		assert.equal(worker.load, 0);
	});

	test("an envelope with a serialised search has the same text as one with the plain result", async () => {
		const payload = await plainly({ query: 'greet "hello"' });
		const facts = { requestId: 'a"b\\', repo: "répo\u{1f600}", durationMs: 1.5 };
		const written = success({ repo: facts.repo, search: new WrittenSearch(JSON.stringify(payload), []) }, facts);
		const plain = { ...success({ repo: facts.repo, search: payload }, facts), _meta: written._meta };
		const { text, asString } = writeEnvelope(written);
		assert.equal(text, JSON.stringify(plain));
		assert.equal(asString, JSON.stringify(text));
		assert.deepEqual(writeEnvelope(plain), { text, asString });
		assert.equal(JSON.stringify(written), text, "whoever does not know it gets the same");
	});
});
