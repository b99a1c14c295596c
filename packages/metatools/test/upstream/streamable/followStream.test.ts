import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { test } from "node:test";
import { until } from "../../../../../e2e/until.ts";
import { followStream } from "../../../src/upstream/streamable/followStream.ts";

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
