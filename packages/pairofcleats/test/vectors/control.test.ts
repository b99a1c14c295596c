import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openRepository } from "../../src/repo/openRepository.ts";

const SHIPPED = fileURLToPath(new URL("../../model/tokens.model", import.meta.url));
const CORPUS = fileURLToPath(new URL("../../../libmcp/src", import.meta.url));

/**
 * Questions that do not reuse the wording of the code, about code outside this package, with the file that answers
 * each.
 */
const QUESTIONS: readonly (readonly [question: string, file: string])[] = [
	["is it safe to run the request a second time after a crash", "replay/decide.ts"],
	["what happens when nobody knows if the call succeeded", "fault/faultResponse.ts"],
	["terminate children and grandchildren", "process/killTree.ts"],
	["clean up when the parent is gone", "process/ownProcess.ts"],
	["split incoming bytes into lines", "wire/ndjsonReader.ts"],
	["message with a length header", "wire/contentLengthReader.ts"],
	["reject repeated keys in an object", "wire/strictJson.ts"],
	["swap the identifier of a message without parsing it", "wire/encodeFrame.ts"],
	["too many requests waiting", "admission/boundedQueue.ts"],
	["give up after a while without activity", "admission/deadline.ts"],
	["limit how often updates are sent", "admission/progressPacer.ts"],
	["percentile of response times", "telemetry/methodCounts.ts"],
	["metrics for a scraper", "telemetry/prometheus.ts"],
	["write events to a file and start a new one when it is large", "telemetry/jsonlLog.ts"],
	["shorten a long string without breaking a character", "render/terminalText.ts"],
	["convert a file address to a local path", "normalize/paths.ts"],
	["text that looks like a number", "normalize/values.ts"],
	["alternative names of a field", "normalize/values.ts"],
	["how long to wait before starting the server again", "host/state/restartBudget.ts"],
	["server prints junk on its output", "host/supervision/misbehaviour.ts"],
	["who may call from a web page", "http/front/guards.ts"],
	["check the secret in the authorization header", "http/front/guards.ts"],
	["throttle each caller", "http/front/guards.ts"],
	["renew the certificate without a restart", "http/front/tlsFiles.ts"],
];

void test("the same table with random rows adds next to nothing: what the shipped one adds was learned", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "cleats-control-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const random = join(folder, "random.model");
	writeFileSync(random, withRandomRows(readFileSync(SHIPPED)));
	const lexical = await quality(null, join(folder, "lexical"));
	const trained = await quality(SHIPPED, join(folder, "trained"));
	const control = await quality(random, join(folder, "control"));
	t.diagnostic(`NDCG@10: lexical ${lexical.toFixed(3)}, shipped ${trained.toFixed(3)}, random ${control.toFixed(3)}`);
	// Random rows still tell whether two texts share words, which adds little to the words alone.
	const said = `${lexical} without vectors, ${control} with random rows, ${trained} with the shipped table`;
	assert.ok(trained - lexical > 0.05, said);
	assert.ok(control - lexical < (trained - lexical) / 3, said);
});

async function quality(model: string | null, cacheRoot: string): Promise<number> {
	const repository = await openRepository(CORPUS, { cacheRoot, model });
	try {
		await repository.buildIndex();
		let sum = 0;
		for (const [query, file] of QUESTIONS) {
			const { hits } = await repository.search({ query, top: 10, mode: "code", ann: model !== null });
			const rank = [...new Set(hits.map((hit) => hit.path))].indexOf(file);
			if (rank >= 0) sum += 1 / Math.log2(rank + 2);
		}
		return sum / QUESTIONS.length;
	} finally {
		await repository.close();
	}
}

/** The same file with every vector replaced by noise from a fixed seed. */
function withRandomRows(bytes: Buffer): Buffer {
	const noisy = Buffer.from(bytes);
	const [dims, rows] = [bytes.readUInt16LE(6), bytes.readUInt32LE(8)];
	const end = bytes.length - 32;
	let state = 12345;
	for (let at = end - dims * rows; at < end; at++) {
		state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
		noisy[at] = state >> 16;
	}
	createHash("sha256").update(noisy.subarray(0, end)).digest().copy(noisy, end);
	return noisy;
}
