import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { createLimitedFetch } from "../../src/upstream/limitedFetch.ts";

const LIMIT = 100;

/** Whether a stream of these chunks is let through whole. */
async function passes(chunks: readonly string[], type = "text/event-stream"): Promise<boolean> {
	const body = new ReadableStream<Uint8Array>({
		start(controller) {
			for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
			controller.close();
		},
	});
	let told = false;
	const tell = (): void => {
		told = true;
	};
	const fetch = createLimitedFetch(LIMIT, tell, async () => new Response(body, { headers: { "content-type": type } }));
	const text = await (await fetch("http://x")).text().catch(() => undefined);
	assert.equal(told, text === undefined);
	if (text !== undefined) assert.equal(text, chunks.join(""));
	return text !== undefined;
}

test("a stream may be as long as it likes when none of its events is, wherever it is cut", async () => {
	for (const end of ["\n\n", "\r\n\r\n", "\r\r", "\n\r\n"]) {
		const long = `data: ${"x".repeat(40)}${end}`.repeat(50);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 45 }), { minLength: 100, maxLength: 100 }), async (cuts) => {
				const chunks: string[] = [];
				let rest = long;
				for (const cut of cuts) {
					chunks.push(rest.slice(0, cut));
					rest = rest.slice(cut);
				}
				for (; rest !== ""; rest = rest.slice(45)) chunks.push(rest.slice(0, 45));
				assert.ok(await passes(chunks.filter((chunk) => chunk !== "")), JSON.stringify(end));
			}),
			{ numRuns: 20 },
		);
	}
});

test("one event over the limit ends the stream, however its lines are cut", async () => {
	for (const end of ["\n", "\r\n", "\r"]) {
		const lines = Array.from({ length: 20 }, () => `data: ${"x".repeat(10)}${end}`);
		assert.equal(await passes(lines), false, JSON.stringify(end));
		const split = lines.flatMap((line) => [line.slice(0, -1), line.slice(-1)]);
		assert.equal(await passes(split), false, `${JSON.stringify(end)} in two chunks`);
	}
	assert.equal(await passes(["x".repeat(60), "\n\n", "x".repeat(60)], "application/json"), false);
	assert.equal(await passes(["x".repeat(90)], "application/json"), true);
});

test("a small body that unpacks into a large one is cut off", async (t) => {
	const server = createServer((_, response) => {
		const packed = gzipSync("x".repeat(10_000));
		response.writeHead(200, {
			"content-type": "application/json",
			"content-encoding": "gzip",
			"content-length": packed.length,
		});
		response.end(packed);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	t.after(() => server.close());
	const fetch = createLimitedFetch(LIMIT, () => {});
	const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
	assert.ok(Number(response.headers.get("content-length")) < LIMIT);
	await assert.rejects(response.text(), /over 100 bytes/);
});
