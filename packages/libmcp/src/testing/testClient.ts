import type { Readable, Writable } from "node:stream";
import { RPC_CODES } from "../fault/rpcError.ts";

export type TestStreams = {
	/** The stream that the server writes to. */
	readonly from: Readable;
	/** The stream that the server reads from. */
	readonly to: Writable;
};

export type AnswerError = { readonly code: number; readonly message: string; readonly data?: unknown };

/** The final answer to a request: `result` or `error`. */
export type Answer = {
	readonly id: string | number;
	readonly result?: Readonly<Record<string, unknown>>;
	readonly error?: AnswerError;
	readonly afterMs: number;
};

export type TestClientOptions = {
	/** Speaks revision 2026-07-28: no handshake, `_meta` with every request. */
	readonly modern?: boolean;
};

type Message = {
	id?: string | number | null;
	method?: string;
	params?: Record<string, unknown>;
	result?: Record<string, unknown>;
	error?: AnswerError;
};

/** An MCP client that checks the protocol: every id must get exactly one final answer, and nothing else may arrive. */
export class TestClient {
	readonly #streams: TestStreams;
	readonly #modern: boolean;
	readonly #open = new Map<string | number, { sentAt: number; resolve(answer: Answer): void }>();
	readonly #answered = new Set<string | number>();
	readonly notifications: { readonly method: string; readonly params: Readonly<Record<string, unknown>> }[] = [];
	/** Errors with a null id, which JSON-RPC requires when the id of a line is unknown. */
	readonly anonymousErrors: AnswerError[] = [];
	/** Protocol violations: a second answer, an answer to no request, a line that is not a message. */
	readonly violations: string[] = [];
	/** Answers the server's own requests; by default every method is refused. */
	onRequest: (method: string, params: Readonly<Record<string, unknown>>) => unknown = () => undefined;
	#next = 0;
	#rest = "";
	ended = false;

	constructor(streams: TestStreams, { modern = false }: TestClientOptions = {}) {
		this.#streams = streams;
		this.#modern = modern;
		streams.from.setEncoding("utf8");
		streams.from.on("data", (chunk: string) => this.#take(chunk));
		streams.from.on("end", () => {
			this.ended = true;
		});
	}

	/** Makes the handshake of the legacy era; the modern era has none. */
	async connect(): Promise<void> {
		if (this.#modern) return;
		const answer = await this.request("initialize", {
			protocolVersion: "2025-11-25",
			capabilities: { roots: {} },
			clientInfo: { name: "libmcp-testkit", version: "1.0.0" },
		});
		if (answer.error !== undefined) throw new Error(`initialize: ${answer.error.message}`);
		this.notify("notifications/initialized");
	}

	request(method: string, params: Record<string, unknown> = {}, id: string | number = ++this.#next): Promise<Answer> {
		const { promise, resolve } = Promise.withResolvers<Answer>();
		this.#open.set(id, { sentAt: performance.now(), resolve });
		this.send({
			id,
			method,
			params: this.#modern ? { ...params, _meta: { ...MODERN_META, ...metaOf(params) } } : params,
		});
		return promise;
	}

	call(tool: string, toolArguments: Record<string, unknown> = {}, meta: Record<string, unknown> = {}): Promise<Answer> {
		const more = Object.keys(meta).length === 0 ? {} : { _meta: meta };
		return this.request("tools/call", { name: tool, arguments: toolArguments, ...more });
	}

	notify(method: string, params: Record<string, unknown> = {}): void {
		this.send({ method, params });
	}

	send(message: Record<string, unknown>): void {
		this.sendText(JSON.stringify({ jsonrpc: "2.0", ...message }));
	}

	sendText(text: string): void {
		this.#streams.to.write(`${text}\n`);
	}

	/** Closes the server's input. */
	end(): void {
		this.#streams.to.end();
	}

	/** Ids without an answer; includes cancelled requests, so that a test can check that no answer came. */
	get waiting(): (string | number)[] {
		return [...this.#open.keys()];
	}

	#take(chunk: string): void {
		const lines = (this.#rest + chunk).split("\n");
		this.#rest = lines.pop() ?? "";
		for (const line of lines) this.#line(line);
	}

	#line(line: string): void {
		let message: Message;
		try {
			message = JSON.parse(line);
		} catch {
			this.violations.push(`not JSON: ${line.slice(0, 80)}`);
			return;
		}
		const { id, method, params = {} } = message;
		if (method !== undefined) {
			if (id === undefined || id === null) this.notifications.push({ method, params });
			else this.#answerServer(id, method, params);
			return;
		}
		if (id === null && message.error !== undefined) this.anonymousErrors.push(message.error);
		else if (id === undefined || id === null) this.violations.push(`an answer to nothing: ${line.slice(0, 80)}`);
		else this.#settle(id, message);
	}

	#settle(id: string | number, { result, error }: Message): void {
		const waiting = this.#open.get(id);
		if (waiting === undefined) {
			this.violations.push(
				`${this.#answered.has(id) ? "a second answer to" : "an answer to unknown"} id ${JSON.stringify(id)}`,
			);
			return;
		}
		if ((result === undefined) === (error === undefined))
			this.violations.push(`no single outcome for id ${JSON.stringify(id)}`);
		this.#open.delete(id);
		this.#answered.add(id);
		const afterMs = performance.now() - waiting.sentAt;
		waiting.resolve({
			id,
			afterMs,
			...(result === undefined ? {} : { result }),
			...(error === undefined ? {} : { error }),
		});
	}

	#answerServer(id: string | number, method: string, params: Record<string, unknown>): void {
		const result = this.onRequest(method, params);
		this.send(
			result === undefined
				? { id, error: { code: RPC_CODES.methodNotFound, message: `no method ${method}` } }
				: { id, result },
		);
	}
}

const MODERN_META = {
	"io.modelcontextprotocol/protocolVersion": "2026-07-28",
	"io.modelcontextprotocol/clientCapabilities": {},
	"io.modelcontextprotocol/clientInfo": { name: "libmcp-testkit", version: "1.0.0" },
};

function metaOf(params: Record<string, unknown>): Record<string, unknown> {
	return typeof params._meta === "object" && params._meta !== null ? { ...params._meta } : {};
}
