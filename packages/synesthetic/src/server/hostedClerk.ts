import { Readable, Writable } from "node:stream";
import { type Host, host } from "libmcp/host";
import {
	type Envelope,
	NdjsonReader,
	type NotificationEnvelope,
	OPS_TOOLS,
	protocolError,
	type RequestEnvelope,
	type RequestId,
	scanEnvelope,
} from "libmcp/serve";
import { errorText } from "./answers.ts";
import { type Clerk, type PlainAnswer, UNREADABLE } from "./desk.ts";
import { isPlainMethod } from "./dialect.ts";
import type { PlainFrame } from "./plainFrame.ts";
import { RECOVERIES } from "./recoveries.ts";

export type HostedClerkOptions = {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly write: (line: string) => void;
};

// Answers may be larger than questions: a schema file, or a patch of two documents.
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Answers through a worker that may die: the host starts another and repeats what may be repeated. */
export class HostedClerk implements Clerk {
	readonly #host: Host;
	readonly #input = new Readable({ read: () => {} });
	readonly #write: (line: string) => void;
	readonly #pending = new Map<RequestId, (answer: string | undefined) => void>();
	/** The handshake is kept here, as no worker is sure to have heard it. */
	#shakenHands: boolean = false;

	constructor({ command, args, env, write }: HostedClerkOptions) {
		this.#write = write;
		const reader = new NdjsonReader({ maxFrameBytes: MAX_ANSWER_BYTES });
		const output = new Writable({
			write: (chunk: Buffer, _encoding, done) => {
				for (const event of reader.push(chunk)) if (event.type === "frame") this.#fromHost(event.bytes);
				done();
			},
		});
		this.#host = host({
			command,
			args,
			env,
			name: "synesthetic",
			client: { input: this.#input, output },
			privateWorker: { methods: RECOVERIES, tools: RECOVERIES, otherMethods: "replay_safe" },
			maxFrameBytes: MAX_ANSWER_BYTES,
			onWorkerStderr: (line) => void process.stderr.write(`${line}\n`),
		});
	}

	/** Resolves when a worker has read the files and answers. */
	async ready(): Promise<void> {
		const frame = Buffer.from('{"jsonrpc":"2.0","id":"synesthetic.ready","method":"list_schemas"}\n');
		const envelope = scanEnvelope(frame.subarray(0, -1));
		if (envelope.kind === "request") await this.#ask(envelope.id, frame.subarray(0, -1));
	}

	isUrgent(request: RequestEnvelope, frame: Buffer): boolean {
		return request.method === "ping" || OPS_TOOLS.some(({ name }) => name === toolOf(request, frame));
	}

	/** Passed on unread: the host reads it, and what it refuses is read again here to say why. */
	async answerPlain({ id }: PlainFrame, frame: Buffer): Promise<PlainAnswer> {
		const answer = await this.#ask(id, frame);
		if (answer === undefined || answer.startsWith(`{"jsonrpc":"2.0","id":${id},"result":`)) return answer;
		return scanEnvelope(frame).kind === "request" ? answer : UNREADABLE;
	}

	answer(request: RequestEnvelope, frame: Buffer): string | Promise<string | undefined> {
		const { id, method, params } = request;
		if (!isPlainMethod(method) && method !== "ping" && params?.metaProtocolVersion === undefined) {
			if (method === "initialize") return this.#initialize(request, frame);
			if (!this.#shakenHands)
				return errorText(id, protocolError("NOT_INITIALIZED", `${method.slice(0, 64)}: sent before initialize`));
		}
		return this.#ask(id, frame);
	}

	notice(notification: NotificationEnvelope, frame: Buffer): void {
		if (isPlainMethod(notification.method)) return;
		this.#send(frame);
		if (notification.method !== "notifications/cancelled") return;
		const span = notification.params?.requestId;
		const id = span && frame.toString("utf8", span.start, span.end);
		// The host gives no answer to a cancelled request, so nobody waits for one.
		for (const [open, settle] of this.#pending) if (open === id) settle(undefined);
	}

	async close(): Promise<void> {
		await this.#host.close();
	}

	async #initialize(request: RequestEnvelope, frame: Buffer): Promise<string | undefined> {
		if (this.#shakenHands)
			return errorText(request.id, protocolError("ALREADY_INITIALIZED", "initialize: sent a second time"));
		const answer = await this.#ask(request.id, frame);
		const envelope: Envelope | undefined = answer === undefined ? undefined : scanEnvelope(Buffer.from(answer));
		this.#shakenHands = envelope?.kind === "response";
		return answer;
	}

	#ask(id: RequestId, frame: Buffer): Promise<string | undefined> {
		if (this.#pending.has(id))
			return Promise.resolve(errorText(id, protocolError("DUPLICATE_ID", `id: a request with id ${id} is in flight`)));
		const { promise, resolve } = Promise.withResolvers<string | undefined>();
		this.#pending.set(id, (answer) => {
			this.#pending.delete(id);
			resolve(answer);
		});
		this.#send(frame);
		return promise;
	}

	#send(frame: Buffer): void {
		this.#input.push(withNewline(frame));
	}

	#fromHost(frame: Buffer): void {
		const text = frame.toString();
		// The worker's own answers begin like this; only what the host says itself, or notifications, must be looked at.
		for (const [id, settle] of this.#pending) {
			if (text.startsWith(`{"jsonrpc":"2.0","id":${id},`)) {
				settle(text);
				return;
			}
		}
		const envelope = scanEnvelope(frame);
		if (envelope.kind === "notification") this.#write(text);
		if (envelope.kind !== "response" && envelope.kind !== "error-response") return;
		// A refusal without an id is of the request whose turn it is: the oldest that waits.
		const [oldest] = this.#pending.keys();
		const id = envelope.id ?? oldest;
		if (id !== undefined) this.#pending.get(id)?.(text);
	}
}

const NEWLINE = Buffer.from("\n");

// As a rule the newline a frame came with still follows it in memory.
function withNewline(frame: Buffer): Buffer {
	const end = frame.byteOffset + frame.length;
	const longer = end < frame.buffer.byteLength ? Buffer.from(frame.buffer, frame.byteOffset, frame.length + 1) : frame;
	return longer.at(-1) === NEWLINE[0] ? longer : Buffer.concat([frame, NEWLINE]);
}

function toolOf({ method, params }: RequestEnvelope, frame: Buffer): string | undefined {
	if (method !== "tools/call" || params?.name === undefined) return undefined;
	const name: unknown = JSON.parse(frame.toString("utf8", params.name.start, params.name.end));
	return typeof name === "string" ? name : undefined;
}
