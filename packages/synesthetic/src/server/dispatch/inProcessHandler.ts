import {
	type NotificationEnvelope,
	protocolError,
	type RequestEnvelope,
	type RequestId,
	RpcServer,
	RpcSession,
	scanEnvelope,
} from "libmcp/serve";
import type { Assets } from "../../assets.ts";
import type { JsonObject, JsonValue } from "../../json/jsonValue.ts";
import { parseJson, parseSpelt } from "../../json/parseJson.ts";
import { textModule } from "../../text/textModule.ts";
import { isRequest } from "../frontEnd/arrival.ts";
import { type Line, writeError, writeResultLine } from "../frontEnd/lines.ts";
import { isPlainMethod, type PlainFrame } from "../frontEnd/plainFrame.ts";
import type { RequestHandler } from "../frontEnd/stdioFrontEnd.ts";
import { type Answer, UNREADABLE } from "../frontEnd/turns.ts";
import { writeHandedRules } from "../host/handedRules.ts";
import { TOOLS } from "../tools/tools.ts";
import { createMcpDispatcher, describeServer, type ReadCall } from "./mcpDispatcher.ts";
import { dispatchPlain, readParams } from "./plainDispatcher.ts";

/** The start and end of a part of a frame. */
type Span = RequestEnvelope["idSpan"];

type InProcessHandlerOptions = {
	/** Whether this process is a worker. Its host then keeps the handshake state. */
	readonly hosted: boolean;
};

/** Answers requests in this process, plain and MCP. */
export class InProcessHandler implements RequestHandler {
	readonly #assets: Assets;
	readonly #write: (line: Line) => void;
	readonly #server: RpcServer;
	readonly #session: RpcSession;
	readonly #hosted: boolean;
	#current: FramedRequest | undefined;

	constructor(assets: Assets, write: (line: Line) => void, { hosted }: InProcessHandlerOptions) {
		this.#assets = assets;
		this.#write = write;
		this.#hosted = hosted;
		const dispatcher = createMcpDispatcher(assets, hosted, (params) => this.#readCall(params));
		this.#server = new RpcServer({ dispatcher, description: describeServer(hosted) });
		this.#session = this.#newSession(hosted);
	}

	isUrgent({ method }: RequestEnvelope): boolean {
		return method === "ping";
	}

	takesBatches(): boolean {
		return !this.#hosted && this.#session.has("batches");
	}

	/** Requests run one at a time. */
	overlaps(): boolean {
		return false;
	}

	answerPlain({ id, method, paramsStart }: PlainFrame, frame: Buffer, reply: (answer: Answer) => void): void {
		this.#runPlain(id, method, frame, { start: paramsStart, end: frame.length - 1 }, reply);
	}

	answer(request: RequestEnvelope, frame: Buffer, reply: (answer: Answer) => void): void {
		const { id, method, params } = request;
		if (isPlainMethod(method)) {
			this.#runPlain(id, method, frame, params, reply);
			return;
		}
		const session = this.#hosted && method === "initialize" ? this.#newSession(false) : this.#session;
		if (method !== "ping") this.#current = { request, frame };
		const asked = cutToLeanCall({ request, frame }) ?? { request, frame };
		session.receive(asked.request, asked.frame, { emit: this.#write, finish: (answer) => reply(answer?.text) });
	}

	/** Ignores plain notifications: a tool call without an id is not run, because nobody would get its result. */
	notice(notification: NotificationEnvelope, frame: Buffer): void {
		if (isPlainMethod(notification.method)) return;
		this.#session.receive(notification, frame, { emit: this.#write, finish: () => {} });
	}

	/**
	 * Runs a plain request. It reads the params from the frame, so the answer does not depend on how the head was read.
	 */
	#runPlain(
		id: RequestId,
		method: string,
		frame: Buffer,
		span: Span | undefined,
		reply: (answer: Answer) => void,
	): void {
		const read = span && TOOLS.get(method)?.readText?.(frame, span.start, span.end, this.#assets);
		if (isWritten(read)) reply(writeResultLine(id, read));
		else {
			const params =
				read ?? (span === undefined ? {} : parseParams(frame.toString("utf8", span.start, span.end), method));
			if (params === undefined) this.#refuse(id, frame, reply);
			else dispatchPlain(id, method, () => readParams(params), this.#assets, reply);
		}
		if (this.#hosted) this.#handOverRules();
	}

	#handOverRules(): void {
		const rules = this.#assets.newRules();
		if (rules !== undefined) this.#write(writeHandedRules(rules));
	}

	// The host has read only the head of the frame and expects an answer under that id, even if the frame is invalid.
	#refuse(id: RequestId, frame: Buffer, reply: (answer: Answer) => void): void {
		if (!this.#hosted || isRequest(frame)) reply(UNREADABLE);
		else reply(writeError(id, protocolError("PARSE_ERROR", "the frame is no request")));
	}

	#newSession(shakenHands: boolean): RpcSession {
		const client = { protocolVersion: "", capabilities: {} };
		return new RpcSession(this.#server, {
			id: "stdio",
			outlet: { emit: this.#write },
			...(shakenHands ? { client } : {}),
		});
	}

	// Reads the arguments from the frame: the session has them with numbers as doubles, or as `{}` after `leanCall`.
	#readCall({ name, arguments: given }: JsonObject): ReadCall {
		const { request, frame } = this.#current ?? {};
		const span = request?.params?.arguments;
		if (frame === undefined || span === undefined) return { args: given };
		const tool = typeof name === "string" ? TOOLS.get(name) : undefined;
		const read = tool?.readText?.(frame, span.start, span.end, this.#assets);
		if (isWritten(read)) return { result: read.toString() };
		if (read !== undefined) return { args: read };
		const text = frame.toString("utf8", span.start, span.end);
		return { args: tool?.spelt === true ? parseSpelt(text) : parseJson(text) };
	}
}

function isWritten(read: string | Buffer | JsonObject | undefined): read is string | Buffer {
	return typeof read === "string" || Buffer.isBuffer(read);
}

function parseParams(text: string, tool: string): JsonValue | undefined {
	try {
		return isSpelt(tool) ? parseSpelt(text) : parseJson(text);
	} catch {
		return undefined;
	}
}

function isSpelt(tool: unknown): boolean {
	return typeof tool === "string" && TOOLS.get(tool)?.spelt === true;
}

/** A request and the frame that its spans point into. */
type FramedRequest = { readonly request: RequestEnvelope; readonly frame: Buffer };

// Cutting out fewer bytes than this saves no time.
const LEAST_ARGUMENTS = 1024;

/**
 * A tools/call with its arguments replaced by `{}`, because `RpcSession` is slow to parse arguments and to check them
 * for repeated names. The caller reads the arguments from the original frame. Undefined if the session should get the
 * call unchanged: its arguments are short, or have repeated or escaped names.
 */
export function cutToLeanCall({ request, frame }: FramedRequest): FramedRequest | undefined {
	const span = request.method === "tools/call" ? request.params?.arguments : undefined;
	if (span === undefined || span.end - span.start < LEAST_ARGUMENTS) return undefined;
	const module = textModule();
	if (module?.read(frame, span.start, span.end) !== true || !module.isPlain) return undefined;
	const lean = Buffer.concat([frame.subarray(0, span.start), Buffer.from("{}"), frame.subarray(span.end)]);
	const envelope = scanEnvelope(lean);
	return envelope.kind === "request" ? { request: envelope, frame: lean } : undefined;
}
