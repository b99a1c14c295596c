import assert from "node:assert/strict";
import { test } from "node:test";
import { type Clerk, Desk } from "../../src/server/desk.ts";

const frame = (id: number, pad = 0): string =>
	`{"jsonrpc":"2.0","id":${id},"method":"diff_assets","params":{"pad":"${"x".repeat(pad)}"}}\n`;

/** A clerk that answers when told. */
function patientClerk(): Clerk & { release(): void; noticed: string[] } {
	const gate = Promise.withResolvers<void>();
	const noticed: string[] = [];
	return {
		answerPlain: async ({ id }) => {
			await gate.promise;
			return `answer ${id}`;
		},
		answer: ({ id, method }) => `${method} ${id}`,
		isUrgent: ({ method }) => method === "ping",
		notice: ({ method }) => void noticed.push(method),
		release: gate.resolve,
		noticed,
	};
}

test("a client that outruns the server is not read until there is room again", async () => {
	const clerk = patientClerk();
	const lines: string[] = [];
	const flow: string[] = [];
	const desk = new Desk(clerk, (line) => lines.push(line), {
		pause: () => flow.push("pause"),
		resume: () => flow.push("resume"),
	});
	for (let id = 0; id < 20; id += 1) desk.push(Buffer.from(frame(id, 1_000_000)));
	assert.deepEqual(flow, ["pause"]);
	clerk.release();
	await desk.end();
	assert.deepEqual(flow, ["pause", "resume"]);
	assert.deepEqual(
		lines,
		Array.from({ length: 20 }, (_, id) => `answer ${id}`),
	);
});

test("a ping passes those that wait, and a request cancelled before its turn is not answered", async () => {
	const clerk = patientClerk();
	const lines: string[] = [];
	const desk = new Desk(clerk, (line) => lines.push(line), { pause: () => {}, resume: () => {} });
	desk.push(Buffer.from(frame(1) + frame(2) + frame(3)));
	desk.push(Buffer.from('{"jsonrpc":"2.0","id":"p","method":"ping"}\n'));
	assert.deepEqual(lines, ['ping "p"']);
	desk.push(Buffer.from('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}\n'));
	desk.push(Buffer.from('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n'));
	clerk.release();
	await desk.end();
	assert.deepEqual(lines, ['ping "p"', "answer 1", "answer 3"]);
	assert.deepEqual(clerk.noticed, ["notifications/cancelled"]);
});

test("frames may come in any pieces, the last one without its newline", async () => {
	const clerk = patientClerk();
	clerk.release();
	const lines: string[] = [];
	const desk = new Desk(clerk, (line) => lines.push(line), { pause: () => {}, resume: () => {} });
	for (const byte of Buffer.from(frame(1) + frame(2).trimEnd())) desk.push(Buffer.from([byte]));
	await desk.end();
	assert.deepEqual(lines, ["answer 1", "answer 2"]);
});
