import assert from "node:assert/strict";
import { test } from "node:test";
import { joinLine, type Line } from "../../src/server/frontEnd/lines.ts";
import { type RequestHandler, StdioFrontEnd } from "../../src/server/frontEnd/stdioFrontEnd.ts";

const frame = (id: number, pad = 0): string =>
	`{"jsonrpc":"2.0","id":${id},"method":"diff_assets","params":{"pad":"${"x".repeat(pad)}"}}\n`;

/** A handler that answers when told. */
function patientHandler(overlaps = (_method: string): boolean => false): RequestHandler & {
	release(): void;
	noticed: string[];
	begun: string[];
} {
	const gate = Promise.withResolvers<void>();
	const noticed: string[] = [];
	const begun: string[] = [];
	return {
		overlaps: ({ method }) => overlaps(method),
		answerPlain: ({ id }, _frame, reply) => {
			begun.push(id);
			void gate.promise.then(() => reply(`answer ${id}`));
		},
		answer: ({ id, method }, _frame, reply) => reply(`${method} ${id}`),
		isUrgent: ({ method }) => method === "ping",
		takesBatches: () => false,
		notice: ({ method }) => void noticed.push(method),
		release: gate.resolve,
		noticed,
		begun,
	};
}

test("a client that outruns the server is not read until there is room again", async () => {
	const handler = patientHandler();
	const lines: Line[] = [];
	const flow: string[] = [];
	const frontEnd = new StdioFrontEnd(handler, (line) => lines.push(line), {
		pause: () => flow.push("pause"),
		resume: () => flow.push("resume"),
	});
	for (let id = 0; id < 20; id += 1) frontEnd.push(Buffer.from(frame(id, 1_000_000)));
	assert.deepEqual(flow, ["pause"]);
	handler.release();
	await frontEnd.end();
	assert.deepEqual(flow, ["pause", "resume"]);
	assert.deepEqual(
		lines,
		Array.from({ length: 20 }, (_, id) => `answer ${id}`),
	);
});

test("an answer whose bytes soon change is kept while one before it is awaited", async () => {
	const handler = patientHandler(() => true);
	const passing = Buffer.alloc(1);
	const lines: string[] = [];
	const frontEnd = new StdioFrontEnd(
		{
			...handler,
			answerPlain: (plain, bytes, reply) => {
				if (plain.id === "1") return handler.answerPlain(plain, bytes, reply);
				passing.write(plain.id);
				reply(["answer ", passing, "!"]);
			},
		},
		(line) => lines.push(joinLine(line).toString()),
		{ pause: () => {}, resume: () => {} },
	);
	frontEnd.push(Buffer.from(frame(1) + frame(2) + frame(3)));
	handler.release();
	await frontEnd.end();
	assert.deepEqual(lines, ["answer 1", "answer 2!", "answer 3!"]);
});

test("while the client does not read its answers no other request is begun", async () => {
	const handler = patientHandler(() => true);
	handler.release();
	const lines: Line[] = [];
	const frontEnd = new StdioFrontEnd(handler, (line) => lines.push(line), { pause: () => {}, resume: () => {} });
	frontEnd.push(Buffer.from(frame(1)));
	frontEnd.hold();
	frontEnd.push(Buffer.from(`${frame(2)}no request\n`));
	await new Promise((resolve) => setImmediate(resolve));
	assert.deepEqual([handler.begun, lines], [["1"], ["answer 1"]]);
	frontEnd.proceed();
	await frontEnd.end();
	assert.deepEqual(handler.begun, ["1", "2"]);
	assert.equal(lines.length, 3);
});

test("a ping passes those that wait, and a request cancelled before its turn is not answered", async () => {
	const handler = patientHandler();
	const lines: Line[] = [];
	const frontEnd = new StdioFrontEnd(handler, (line) => lines.push(line), { pause: () => {}, resume: () => {} });
	frontEnd.push(Buffer.from(frame(1) + frame(2) + frame(3)));
	frontEnd.push(Buffer.from('{"jsonrpc":"2.0","id":"p","method":"ping"}\n'));
	assert.deepEqual(lines, ['ping "p"']);
	frontEnd.push(Buffer.from('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}\n'));
	frontEnd.push(Buffer.from('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n'));
	handler.release();
	await frontEnd.end();
	assert.deepEqual(lines, ['ping "p"', "answer 1", "answer 3"]);
	assert.deepEqual(handler.noticed, ["notifications/cancelled"]);
});

test("frames may come in any pieces, the last one without its newline", async () => {
	const handler = patientHandler();
	handler.release();
	const lines: Line[] = [];
	const frontEnd = new StdioFrontEnd(handler, (line) => lines.push(line), { pause: () => {}, resume: () => {} });
	for (const byte of Buffer.from(frame(1) + frame(2).trimEnd())) frontEnd.push(Buffer.from([byte]));
	await frontEnd.end();
	assert.deepEqual(lines, ["answer 1", "answer 2"]);
});

test("requests that may overlap are begun together and answered in their order, refusals among them", async () => {
	const replies: (() => void)[] = [];
	const handler: RequestHandler = {
		...patientHandler((method) => method === "diff_assets"),
		answerPlain: ({ id }, _frame, reply) => void replies.push(() => reply(`answer ${id}`)),
	};
	const lines: Line[] = [];
	const frontEnd = new StdioFrontEnd(handler, (line) => lines.push(line), { pause: () => {}, resume: () => {} });
	frontEnd.push(Buffer.from(`${frame(1)}${frame(2)}no json\n${frame(3)}`));
	assert.equal(replies.length, 3);
	for (const reply of replies.toReversed()) reply();
	await frontEnd.end();
	assert.deepEqual(
		lines.map((line) => (line.toString().startsWith("{") ? JSON.parse(line.toString()).error.code : line)),
		["answer 1", "answer 2", -32700, "answer 3"],
	);
});

test("a request that may not overlap waits for all before it, and all after it wait for it", async () => {
	const handler = patientHandler((method) => method === "diff_assets");
	const lines: Line[] = [];
	const frontEnd = new StdioFrontEnd(handler, (line) => lines.push(line), { pause: () => {}, resume: () => {} });
	const alone = frame(3).replace("diff_assets", "populate_backend");
	frontEnd.push(Buffer.from(frame(1) + frame(2) + alone + frame(4)));
	assert.deepEqual(handler.begun, ["1", "2"]);
	handler.release();
	await frontEnd.end();
	assert.deepEqual(handler.begun, ["1", "2", "3", "4"]);
	assert.deepEqual(lines, ["answer 1", "answer 2", "answer 3", "answer 4"]);
});

test("told to stop, what is begun is answered and what waits is dropped", async () => {
	const handler = patientHandler();
	const lines: Line[] = [];
	const frontEnd = new StdioFrontEnd(handler, (line) => lines.push(line), { pause: () => {}, resume: () => {} });
	frontEnd.push(Buffer.from(frame(1) + frame(2)));
	const stopped = frontEnd.stop();
	frontEnd.push(Buffer.from(frame(3)));
	handler.release();
	await stopped;
	assert.deepEqual(lines, ["answer 1"]);
});

test("memory that is read into again holds no frame that somebody still needs", async () => {
	const kept: { readonly id: string; readonly frame: Buffer; readonly text: string; reply(): void }[] = [];
	const handler: RequestHandler = {
		...patientHandler(() => true),
		answerPlain: ({ id }, bytes, reply) =>
			void kept.push({ id, frame: bytes, text: bytes.toString(), reply: () => reply(`answer ${id}`) }),
	};
	const lines: Line[] = [];
	const frontEnd = new StdioFrontEnd(handler, (line) => lines.push(line), { pause: () => {}, resume: () => {} });
	const stream = Buffer.from(Array.from({ length: 120 }, (_, id) => frame(id, 30_000 + id * 100)).join(""));
	for (let from = 0; from < stream.length; ) {
		const room = frontEnd.room();
		const bytes = stream.copy(room, 0, from, from + 50_000);
		frontEnd.filled(bytes);
		from += bytes;
		// At most ten stay unanswered, and the last few of those are answered now and then, so that all is quiet.
		for (const leave = from % 7 === 0 ? 0 : 10; kept.length > leave; ) {
			const first = kept.shift();
			assert.equal(first?.frame.toString(), first?.text);
			first?.reply();
		}
	}
	for (const rest of kept) {
		assert.equal(rest.frame.toString(), rest.text);
		rest.reply();
	}
	await frontEnd.end();
	assert.deepEqual(
		lines,
		Array.from({ length: 120 }, (_, id) => `answer ${id}`),
	);
});
