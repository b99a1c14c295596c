import {
	type NotificationEnvelope,
	protocolError,
	type RequestEnvelope,
	type RequestId,
	RpcServer,
	RpcSession,
} from "libmcp/serve";
import type { Assets } from "../assets.ts";
import type { JsonObject, JsonValue } from "../json/jsonValue.ts";
import { parseJson, parseSpelt } from "../json/parseJson.ts";
import { errorText, resultLine } from "./answers.ts";
import { isRequest } from "./arrival.ts";
import { isPlainMethod } from "./dialect.ts";
import { handingOver } from "./handedRules.ts";
import { type FramedRequest, leanCall } from "./leanCall.ts";
import type { Line } from "./lineBuffer.ts";
import { mcpDispatcher, type ReadCall, serverDescription } from "./mcpDispatcher.ts";
import { asParams, dispatchPlain } from "./plainDispatcher.ts";
import type { PlainFrame } from "./plainFrame.ts";
import type { RequestHandler } from "./stdioFrontEnd.ts";
import { TOOLS } from "./tools.ts";
import { type Answer, UNREADABLE } from "./turns.ts";

/** The start and end of a part of a frame. */
type Span = RequestEnvelope["idSpan"];

export type InProcessHandlerOptions = {
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
		const dispatcher = mcpDispatcher(assets, hosted, (params) => this.#readCall(params));
		this.#server = new RpcServer({ dispatcher, description: serverDescription(hosted) });
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
		const asked = leanCall({ request, frame }) ?? { request, frame };
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
		if (isWritten(read)) reply(resultLine(id, read));
		else {
			const params = read ?? (span === undefined ? {} : parsed(frame.toString("utf8", span.start, span.end), method));
			if (params === undefined) this.#refuse(id, frame, reply);
			else dispatchPlain(id, method, () => asParams(params), this.#assets, reply);
		}
		if (this.#hosted) this.#handOverRules();
	}

	#handOverRules(): void {
		const rules = this.#assets.newRules();
		if (rules !== undefined) this.#write(handingOver(rules));
	}

	// The host has read only the head of the frame and expects an answer under that id, even if the frame is invalid.
	#refuse(id: RequestId, frame: Buffer, reply: (answer: Answer) => void): void {
		if (!this.#hosted || isRequest(frame)) reply(UNREADABLE);
		else reply(errorText(id, protocolError("PARSE_ERROR", "the frame is no request")));
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

function parsed(text: string, tool: string): JsonValue | undefined {
	try {
		return isSpelt(tool) ? parseSpelt(text) : parseJson(text);
	} catch {
		return undefined;
	}
}

function isSpelt(tool: unknown): boolean {
	return typeof tool === "string" && TOOLS.get(tool)?.spelt === true;
}
