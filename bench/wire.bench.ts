// Frames through the wire layer (read, scan the envelope, splice the id, write) beside JSON.parse + JSON.stringify.
import { Buffer } from "node:buffer";
import { NdjsonReader, requestId, scanEnvelope, spliceId } from "libmcp";

const SHAPES = { structured, "json-in-text": jsonInText, "plain-text": plainText } as const;
const SIZES = { "100B": 100, "10kB": 10_000, "1MB": 1_000_000 } as const;
/** What the wire layer must reach, as a multiple of the baseline, where a floor is promised. */
const FLOORS: Readonly<Record<string, number>> = {
	"structured 10kB": 2,
	"json-in-text 10kB": 2,
	"plain-text 10kB": 2,
	"structured 1MB": 4,
	"plain-text 1MB": 4,
};
const CHUNK_BYTES = 65_536;
const REPETITIONS = 9;

let sink = 0;
for (const [sizeName, size] of Object.entries(SIZES)) {
	for (const [shape, build] of Object.entries(SHAPES)) {
		const frame = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id: 123, result: build(size) })}\n`);
		const frames = Math.max(20, Math.round(8_000_000 / frame.length));
		const chunks = inChunks(frame, frames);
		const [wire, baseline] = compare([() => throughWire(chunks), () => throughJson(chunks)]);
		const name = `${shape} ${sizeName}`;
		const ratio = baseline / wire;
		console.log(
			JSON.stringify({
				bench: "wire",
				shape,
				size: sizeName,
				frameBytes: frame.length,
				framesPerSecond: Math.round(frames / (wire / 1e6)),
				megabytesPerSecond: Math.round((frame.length * frames) / wire),
				baselineFramesPerSecond: Math.round(frames / (baseline / 1e6)),
				baselineMegabytesPerSecond: Math.round((frame.length * frames) / baseline),
				ratio: Number(ratio.toFixed(2)),
				...(FLOORS[name] === undefined ? {} : { floor: FLOORS[name], met: ratio >= FLOORS[name] }),
			}),
		);
	}
}
if (sink === 0) throw new Error("nothing was written");

/** The fewest CPU microseconds of each, in turns so that both see the same machine: what others do to it only adds. */
function compare(bodies: [() => void, () => void]): [number, number] {
	const spent: [number[], number[]] = [[], []];
	for (let round = -2; round < REPETITIONS; round++) {
		bodies.forEach((body, index) => {
			const before = process.cpuUsage();
			body();
			const { user, system } = process.cpuUsage(before);
			if (round >= 0) spent[index]?.push(user + system);
		});
	}
	return [Math.min(...spent[0]), Math.min(...spent[1])];
}

function throughWire(chunks: readonly Buffer[]): void {
	const reader = new NdjsonReader();
	let next = 0;
	for (const chunk of chunks) {
		for (const event of reader.push(chunk)) {
			if (event.type !== "frame") throw new Error(event.type);
			const envelope = scanEnvelope(event.bytes);
			if (envelope.kind !== "response") throw new Error(envelope.kind);
			for (const piece of spliceId(event.bytes, envelope.idSpan, requestId(next++))) sink += piece.length;
		}
	}
}

/** The same reader, so that the figure is about parsing and serialising and nothing else. */
function throughJson(chunks: readonly Buffer[]): void {
	const reader = new NdjsonReader();
	let next = 0;
	for (const chunk of chunks) {
		for (const event of reader.push(chunk)) {
			if (event.type !== "frame") throw new Error(event.type);
			const message = JSON.parse(event.bytes.toString());
			message.id = next++;
			sink += Buffer.from(`${JSON.stringify(message)}\n`).length;
		}
	}
}

function inChunks(frame: Buffer, frames: number): Buffer[] {
	const stream = Buffer.concat(new Array<Buffer>(frames).fill(frame));
	const chunks: Buffer[] = [];
	for (let at = 0; at < stream.length; at += CHUNK_BYTES) chunks.push(stream.subarray(at, at + CHUNK_BYTES));
	return chunks;
}

function structured(bytes: number): unknown {
	const items: unknown[] = [];
	for (let size = 0, n = 0; size < bytes; n++) {
		const item = { id: n, path: `src/area${n % 7}/file${n}.ts`, score: n / 7, tags: ["a", "bb"], exact: n % 2 === 0 };
		items.push(item);
		size += JSON.stringify(item).length + 1;
	}
	return { content: [], structuredContent: { items } };
}

function jsonInText(bytes: number): unknown {
	return { content: [{ type: "text", text: JSON.stringify(structured(bytes * 0.8)) }] };
}

function plainText(bytes: number): unknown {
	const line = "A line of prose, such as a tool prints about what it found there.\n";
	return { content: [{ type: "text", text: line.repeat(Math.ceil(bytes / line.length)) }] };
}
