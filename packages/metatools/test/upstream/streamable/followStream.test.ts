import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { test } from "node:test";
import { until } from "../../../../../e2e/until.ts";
import { followStream } from "../../../src/upstream/streamable/eventReader.ts";

const ended = (): IncomingMessage => Object.assign(Readable.from([]), { headers: {} }) as unknown as IncomingMessage;

test("a standing stream that the server ends at once is asked for less and less often", async () => {
	const gone = new AbortController();
	const openedAt: number[] = [];
	const followed = followStream(ended(), {
		reopen: async () => {
			openedAt.push(performance.now());
			return ended();
		},
		onEvent: () => {},
		isOver: () => false,
		standing: true,
		maxChars: 1_000,
		signal: gone.signal,
	});
	await until(() => openedAt.length === 3);
	gone.abort();
	await followed;
	const [, second = 0, third = 0] = openedAt;
	assert.ok(third - second > 2_200, openedAt.join(", "));
});

test("a standing stream that the server ends after each event is asked for less and less often, whatever delay it wishes", async () => {
	const gone = new AbortController();
	const brief = (): IncomingMessage =>
		Object.assign(Readable.from([Buffer.from("retry: 0\ndata: {}\n\n")]), {
			headers: {},
		}) as unknown as IncomingMessage;
	const openedAt: number[] = [];
	const followed = followStream(brief(), {
		reopen: async () => {
			openedAt.push(performance.now());
			return brief();
		},
		onEvent: () => {},
		isOver: () => false,
		standing: true,
		maxChars: 1_000,
		signal: gone.signal,
	});
	await until(() => openedAt.length === 8);
	gone.abort();
	await followed;
	const [first = 0] = openedAt;
	const last = openedAt.at(-1) ?? 0;
	assert.ok(last - first > 2_200, openedAt.join(", "));
});
