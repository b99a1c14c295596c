import {
	type NotificationEnvelope,
	protocolError,
	type RequestEnvelope,
	type RequestId,
	RpcServer,
	RpcSession,
} from "libmcp/serve";
import type { Assets } from "../assets.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/jsonValue.ts";
import { parseJson, parseSpelt } from "../json/parseJson.ts";
import { errorText, resultLine } from "./answers.ts";
import { isRequest } from "./arrival.ts";
import type { Clerk } from "./desk.ts";
import { isPlainMethod } from "./dialect.ts";
import { handingOver } from "./handedRules.ts";
import { type FramedRequest, leanCall } from "./leanCall.ts";
import type { Line } from "./lineBuffer.ts";
import { mcpDispatcher, type ReadCall, serverDescription } from "./mcpDispatcher.ts";
import { asParams, dispatchPlain } from "./plainDispatcher.ts";
import type { PlainFrame } from "./plainFrame.ts";
import { TOOLS } from "./tools.ts";
import { type Answer, UNREADABLE } from "./turns.ts";

export type LocalClerkOptions = {
	/** Under a host, which keeps the handshake state. */
	readonly hosted: boolean;
};

/** Answers in this process, in both dialects. */
export class LocalClerk implements Clerk {
	readonly #assets: Assets;
	readonly #write: (line: Line) => void;
	readonly #server: RpcServer;
	readonly #session: RpcSession;
	readonly #hosted: boolean;
	#current: FramedRequest | undefined;

	constructor(assets: Assets, write: (line: Line) => void, { hosted }: LocalClerkOptions) {
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

	/** One at a time. */
	overlaps(): boolean {
		return false;
	}

	answerPlain({ id, method, paramsStart }: PlainFrame, frame: Buffer, reply: (answer: Answer) => void): void {
		const end = frame.length - 1;
		const read = TOOLS.get(method)?.readText?.(frame, paramsStart, end, this.#assets);
		if (isWritten(read)) reply(resultLine(id, read));
		else {
			const params = read ?? parsedObject(frame.toString("utf8", paramsStart, end), method);
			if (params === undefined) this.#refuse(id, frame, reply);
			else dispatchPlain(id, method, () => params, this.#assets, reply);
		}
		if (this.#hosted) this.#handOverRules();
	}

	answer(request: RequestEnvelope, frame: Buffer, reply: (answer: Answer) => void): void {
		const { id, method, params } = request;
		if (isPlainMethod(method)) {
			const text = params === undefined ? "{}" : frame.toString("utf8", params.start, params.end);
			const given = parsed(text, method);
			if (given === undefined) this.#refuse(id, frame, reply);
			else dispatchPlain(id, method, () => asParams(given), this.#assets, reply);
			return;
		}
		const session = this.#hosted && method === "initialize" ? this.#newSession(false) : this.#session;
		if (method !== "ping") this.#current = { request, frame };
		const asked = leanCall({ request, frame }) ?? { request, frame };
		session.receive(asked.request, asked.frame, { emit: this.#write, finish: (answer) => reply(answer?.text) });
	}

	/** A plain tool has no notifications: a request without an id is not run, as nobody could learn how it went. */
	notice(notification: NotificationEnvelope, frame: Buffer): void {
		if (isPlainMethod(notification.method)) return;
		this.#session.receive(notification, frame, { emit: this.#write, finish: () => {} });
	}

	#handOverRules(): void {
		const rules = this.#assets.newRules();
		if (rules !== undefined) this.#write(handingOver(rules));
	}

	// The host forwarded it by its head alone, so even an invalid frame must be answered under that id.
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

	// The session has parsed the arguments as doubles, or not at all: they are read again.
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

function parsedObject(text: string, tool: string): JsonObject | undefined {
	const value = parsed(text, tool);
	return isJsonObject(value) ? value : undefined;
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
