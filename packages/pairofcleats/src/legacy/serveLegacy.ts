import { Buffer } from "node:buffer";
import { setTimeout as delay } from "node:timers/promises";
import {
	ContentLengthReader,
	encodeFrame,
	type FrameEvent,
	framePieces,
	guardStdout,
	INVALID_FRAME,
	looseRequestId,
	type ParamsSpans,
	parseStrictJson,
	type RequestEnvelope,
	type RequestId,
	RPC_CODES,
	requestId,
	revisionFor,
	scanEnvelope,
	watchParent,
} from "libmcp";
import { endWithSignals, readRunnerOptions } from "../server/serveMcp.ts";
import { describeServer, listLegacyTools } from "../tools/definitions.ts";
import { ToolRunner } from "../tools/toolRunner.ts";
import { Workspace } from "../workspace/workspace.ts";
import { LegacyCall, type Speak } from "./legacyCall.ts";

const DRAIN_MS = 2_000;
const DRAIN_POLL_MS = 5;

/** Serves the Content-Length transport on this process's own stdin and stdout until the client closes its end. */
export async function serveLegacy(repositories: readonly string[]): Promise<void> {
	const workspace = new Workspace({ repositories });
	const runner = new ToolRunner(workspace, readRunnerOptions());
	const { write } = guardStdout();
	const reader = new ContentLengthReader();
	const over = Promise.withResolvers<void>();
	const end = (): void => over.resolve();
	const session = new LegacySession(runner, (frame) => void write(frame.toString("utf8")), end);
	process.stdin.on("data", (chunk: Buffer) => {
		for (const event of reader.push(chunk)) session.receive(event);
	});
	process.stdin.once("end", () => void drained(session).then(end));
	process.stdin.once("error", end);
	endWithSignals(end);
	const stopWatching = watchParent(end);
	await over.promise;
	stopWatching();
	session.end();
	await workspace.close();
}

/** Gives the calls in flight time to answer after the client closed its end. */
async function drained(session: LegacySession): Promise<void> {
	const until = performance.now() + DRAIN_MS;
	while (session.busy && performance.now() < until) await delay(DRAIN_POLL_MS);
}

/** The notifications that cancel a call, and the member that holds its id: this transport's own, and MCP's. */
const CANCELS = { "$/cancelRequest": "id", "notifications/cancelled": "requestId" } as const;

/** The session with one client of the Content-Length transport. */
export class LegacySession {
	readonly #runner: ToolRunner;
	readonly #write: (frame: Buffer) => void;
	readonly #calls = new Map<RequestId, LegacyCall>();
	readonly #speak: Speak;
	readonly #onExit: () => void;

	constructor(runner: ToolRunner, write: (frame: Buffer) => void, onExit: () => void) {
		this.#runner = runner;
		this.#write = write;
		this.#onExit = onExit;
		this.#speak = {
			result: (id, value) => this.#answer(id, { result: value }),
			notify: (method, params) => this.#write(encodeFrame({ jsonrpc: "2.0", method, params }, "content-length")),
		};
	}

	get busy(): boolean {
		return this.#calls.size > 0;
	}

	receive(event: FrameEvent): void {
		if (event.type !== "frame") {
			this.#fail(
				undefined,
				RPC_CODES.parseError,
				`expected a Content-Length header and that many bytes, got ${event.type}`,
			);
			return;
		}
		const envelope = scanEnvelope(event.bytes);
		switch (envelope.kind) {
			case "request":
				this.#request(envelope, event.bytes);
				return;
			case "notification":
				if (envelope.method === "exit") this.#onExit();
				if (isCancel(envelope.method)) this.#cancel(event.bytes, envelope.params, CANCELS[envelope.method]);
				return;
			case "invalid":
				this.#refuse(envelope.id, INVALID_FRAME[envelope.reason].code, envelope.detail);
				return;
			default:
				// A response without a request: this transport never sends requests to its client.
				return;
		}
	}

	end(): void {
		for (const call of this.#calls.values()) call.drop();
		this.#calls.clear();
	}

	#request({ id, method, params: span }: RequestEnvelope, frame: Buffer): void {
		if (this.#calls.has(id)) {
			this.#refuse(id, RPC_CODES.invalidRequest, "id: a request with this id is in flight");
			return;
		}
		const params = readParams(frame, span);
		if (params === undefined) {
			this.#fail(id, RPC_CODES.invalidParams, "params: expected an object");
			return;
		}
		switch (method) {
			case "initialize":
				this.#speak.result(id, initializeResult(params.protocolVersion));
				return;
			case "ping":
			case "shutdown":
				this.#speak.result(id, {});
				return;
			case "tools/list":
				this.#speak.result(id, { tools: listLegacyTools() });
				return;
			case "tools/call": {
				const call = new LegacyCall(id, this.#speak, () => this.#calls.delete(id));
				this.#calls.set(id, call);
				void call.run(this.#runner, params);
				return;
			}
			default:
				this.#fail(id, RPC_CODES.methodNotFound, `Method not found: ${method.slice(0, 128)}`);
		}
	}

	/** Matches the id with its JSON type first; falls back to the same text with the other type. */
	#cancel(frame: Buffer, span: ParamsSpans | undefined, member: string): void {
		const wanted = readParams(frame, span)?.[member];
		if (typeof wanted !== "string" && typeof wanted !== "number") return;
		const id = requestId(wanted);
		const loose = looseRequestId(id);
		const alike = [...this.#calls.keys()].find((open) => looseRequestId(open) === loose);
		const call = this.#calls.get(id) ?? (alike === undefined ? undefined : this.#calls.get(alike));
		call?.cancel();
	}

	/** Sent without an id when a call in flight has the same id: an answer under it would end that call. */
	#refuse(id: RequestId | undefined, code: number, message: string): void {
		if (id === undefined || !this.#calls.has(id)) this.#fail(id, code, message);
		else this.#fail(undefined, code, message, { id: JSON.parse(id) });
	}

	#fail(id: RequestId | undefined, code: number, message: string, more: Readonly<Record<string, unknown>> = {}): void {
		this.#answer(id, { error: { code, message, data: { code: "INVALID_REQUEST", message, ...more } } });
	}

	/** The id is echoed verbatim. */
	#answer(id: RequestId | undefined, body: Readonly<Record<string, unknown>>): void {
		const text = `{"jsonrpc":"2.0","id":${id ?? "null"},${JSON.stringify(body).slice(1)}`;
		this.#write(Buffer.concat(framePieces([Buffer.from(text)], "content-length")));
	}
}

function isCancel(method: string): method is keyof typeof CANCELS {
	return Object.hasOwn(CANCELS, method);
}

function initializeResult(asked: unknown): Record<string, unknown> {
	const { info, capabilities } = describeServer("legacy");
	return { protocolVersion: revisionFor(asked), capabilities, serverInfo: info };
}

function readParams(frame: Buffer, span: ParamsSpans | undefined): Readonly<Record<string, unknown>> | undefined {
	if (span === undefined) return {};
	const parsed = parseStrictJson(frame.subarray(span.start, span.end));
	if (!parsed.ok || typeof parsed.value !== "object" || parsed.value === null || Array.isArray(parsed.value)) return;
	return { ...parsed.value };
}
