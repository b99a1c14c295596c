import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import fc from "fast-check";
import { until } from "../../../../../e2e/until.ts";
import { call, json, open, resultOf, site, stream } from "./site.ts";

/** What may happen to a request on its way, the last two to its answer's advantage. */
const FATES = {
	cut: (response: ServerResponse) => void response.destroy(),
	cutInBody: (response: ServerResponse) => {
		response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
		response.write('{"jsonrpc"');
		setImmediate(() => response.destroy());
	},
	cutInStream: (response: ServerResponse) => {
		stream(response, 'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\ndata: {"json');
		setImmediate(() => response.destroy());
	},
	failed: (response: ServerResponse) => void response.writeHead(500).end("x".repeat(100_000)),
	garbage: (response: ServerResponse) => json(response, "\u0000\ufffd]["),
	oversize: (response: ServerResponse) => json(response, resultOf(1, "x".repeat(5_000))),
	empty: (response: ServerResponse) => void response.writeHead(200).end(),
	redirect: (response: ServerResponse) => void response.writeHead(307, { location: "http://127.0.0.1:9/" }).end(),
	silent: () => {},
	answered: (response: ServerResponse, id: number) => json(response, resultOf(id)),
	streamed: (response: ServerResponse, id: number) => {
		stream(response, `: hello\n\ndata: ${resultOf(id)}\n\n`);
		response.end();
	},
} as const;
type Fate = keyof typeof FATES;
const fates = fc.constantFrom(...(Object.keys(FATES) as Fate[]));

test("whatever becomes of other requests, each is settled, the good ones with their own answers", {
	timeout: 120_000,
}, async () => {
	const planned = new Map<number, Fate>();
	const server = await site(({ message }, response) => {
		const id = message !== undefined && "id" in message ? Number(message.id) : 0;
		FATES[planned.get(id) ?? "answered"](response, id);
	});
	let next = 1;
	await fc.assert(
		fc.asyncProperty(fc.array(fates, { minLength: 1, maxLength: 40 }), async (batch) => {
			const { transport, heard } = open(server.url);
			const leaving = new AbortController();
			const sent = batch.map((fate) => {
				const id = next++;
				planned.set(id, fate);
				const options = fate === "silent" ? { requestSignal: leaving.signal } : {};
				const outcome = transport.send(call(id), options).then(
					() => "answered",
					() => "refused",
				);
				return { id, fate, outcome };
			});
			const good = sent.filter(({ fate }) => fate === "answered" || fate === "streamed");
			await Promise.all(good.map(({ outcome }) => outcome));
			setTimeout(() => leaving.abort(), 5);
			for (const { fate, outcome } of sent)
				assert.equal(await outcome, fate === "answered" || fate === "streamed" ? "answered" : "refused", fate);
			const answers = heard.flatMap((message) => ("result" in message ? [Number(message.id)] : []));
			assert.deepEqual(
				answers.sort((a, b) => a - b),
				good.map(({ id }) => id),
			);
			await transport.close();
		}),
		{ numRuns: 25 },
	);
	await until(async () => (await server.connections()) === 0);
});
