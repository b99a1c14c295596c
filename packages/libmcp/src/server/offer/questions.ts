import type { RpcContext } from "../protocol/dispatcher.ts";
import { describeKind, isRecord } from "../protocol/protocol.ts";
import { protocolError } from "../protocol/rpcErrors.ts";
import { createUnreadableError } from "../session/outgoingRequests.ts";
import { checkValue, flatSchema, type Schema } from "./schema.ts";

/** The user's answer to a question. */
export type Elicited<Value> =
	| { readonly action: "accept"; readonly content: Value }
	| { readonly action: "decline" | "cancel" };

export type SamplingContent =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string };

export type SamplingRequest = {
	readonly messages: readonly {
		readonly role: "user" | "assistant";
		readonly content: SamplingContent | readonly SamplingContent[];
	}[];
	readonly maxTokens: number;
	readonly systemPrompt?: string;
	readonly temperature?: number;
	readonly stopSequences?: readonly string[];
	readonly modelPreferences?: {
		readonly hints?: readonly { readonly name?: string }[];
		readonly costPriority?: number;
		readonly speedPriority?: number;
		readonly intelligencePriority?: number;
	};
};

/** What the client's model wrote: one or several content blocks. */
export type Sampled = {
	readonly role: "user" | "assistant";
	readonly content: readonly SamplingContent[];
	readonly model: string;
	readonly stopReason?: string;
};

export type Root = { readonly uri: string; readonly name?: string };

type Question = { readonly method: string; readonly params: Record<string, unknown> };

/** The questions that one request asks. A client without a handshake sends the answers when it repeats the request. */
export class Questions {
	readonly #context: RpcContext;
	readonly #answers: Readonly<Record<string, unknown>>;
	readonly #open: Record<string, Question> = {};
	readonly #asked = new Map<string, number>();

	constructor(params: unknown, context: RpcContext) {
		this.#context = context;
		this.#answers = context.era === "modern" ? answersIn(params) : {};
	}

	/** The `input_required` result that asks the unanswered questions; undefined when there are none. */
	get open(): Record<string, unknown> | undefined {
		if (Object.keys(this.#open).length === 0) return undefined;
		return {
			resultType: "input_required",
			inputRequests: this.#open,
			// A repeated request carries only the latest answers, so the earlier ones travel in `requestState`. They are the
			// client's own words and are validated again when they return, so signing them would protect nothing.
			...(Object.keys(this.#answers).length > 0 && { requestState: JSON.stringify(this.#answers) }),
		};
	}

	async elicit<Value>(message: string, fields: Schema<Value>): Promise<Elicited<Value>> {
		const requestedSchema = flatSchema(fields, "elicit: fields");
		const { elicitation } = this.#context.client.capabilities;
		const able = isRecord(elicitation) && ("form" in elicitation || !("url" in elicitation));
		const answer = await this.#ask("elicitation/create", { message, requestedSchema }, able, {
			elicitation: { form: {} },
		});
		const action = actionIn(answer);
		if (action !== "accept") return { action };
		const given = await checkValue(fields, answer.content ?? {});
		if ("problem" in given) throw createUnreadableError(`content: ${given.problem}`);
		return { action, content: given.value };
	}

	async elicitUrl(message: string, url: string): Promise<Elicited<undefined>> {
		const { elicitation } = this.#context.client.capabilities;
		const able = isRecord(elicitation) && "url" in elicitation;
		const answer = await this.#ask("elicitation/create", { mode: "url", message, url }, able, {
			elicitation: { url: {} },
		});
		const action = actionIn(answer);
		return action === "accept" ? { action, content: undefined } : { action };
	}

	async sample(request: SamplingRequest): Promise<Sampled> {
		const able = isRecord(this.#context.client.capabilities.sampling);
		const answer = await this.#ask("sampling/createMessage", { ...request }, able, { sampling: {} });
		const { role, content, model, stopReason } = answer;
		if (role !== "user" && role !== "assistant") throw createUnreadableError(`role: expected user or assistant`);
		if (typeof model !== "string") throw createUnreadableError(`model: expected a string, got ${describeKind(model)}`);
		const pieces: readonly unknown[] = Array.isArray(content) ? content : [content];
		if (!pieces.every(isSamplingContent)) throw createUnreadableError("content: expected text, images or audio");
		return { role, content: pieces, model, ...(typeof stopReason === "string" && { stopReason }) };
	}

	async roots(): Promise<readonly Root[]> {
		const able = isRecord(this.#context.client.capabilities.roots);
		const { roots } = await this.#ask("roots/list", {}, able, { roots: {} });
		if (!Array.isArray(roots) || !roots.every(isRoot)) throw createUnreadableError("roots: expected an array of roots");
		return roots;
	}

	async #ask(
		method: string,
		params: Record<string, unknown>,
		able: boolean,
		requiredCapabilities: Record<string, unknown>,
	): Promise<Record<string, unknown>> {
		if (!able)
			throw protocolError("MISSING_CAPABILITY", `the client does not declare what ${method} needs`, {
				requiredCapabilities,
			});
		const answer =
			this.#context.era === "legacy" ? await this.#context.request(method, params) : this.#answerTo({ method, params });
		if (isRecord(answer)) return answer;
		throw createUnreadableError(`expected an object, got ${describeKind(answer)}`);
	}

	/** Matched by the question's content, not its position, so that no answer is used for another question. */
	#answerTo(question: Question): unknown {
		const { createHash } = process.getBuiltinModule("node:crypto");
		const print = createHash("sha256").update(JSON.stringify(question)).digest("hex").slice(0, 32);
		const times = (this.#asked.get(print) ?? 0) + 1;
		this.#asked.set(print, times);
		const key = `${print}-${times}`;
		if (Object.hasOwn(this.#answers, key)) return this.#answers[key];
		this.#open[key] = question;
		// Ends the run. Its result is then `open`, whatever the handler does with this error.
		throw protocolError("MISSING_CAPABILITY", `the client has still to answer ${question.method}`);
	}
}

function answersIn(params: unknown): Readonly<Record<string, unknown>> {
	const { inputResponses = {}, requestState = "{}" } = isRecord(params) ? params : {};
	if (!isRecord(inputResponses))
		throw protocolError("INVALID_PARAMS", `inputResponses: expected an object, got ${describeKind(inputResponses)}`);
	return { ...readState(requestState), ...inputResponses };
}

function readState(state: unknown): Record<string, unknown> {
	try {
		const answers: unknown = JSON.parse(String(state));
		if (isRecord(answers)) return answers;
	} catch {
		// Handled below.
	}
	throw protocolError("INVALID_PARAMS", "requestState: expected the state as it was given out");
}

function actionIn({ action }: Record<string, unknown>): "accept" | "decline" | "cancel" {
	if (action === "accept" || action === "decline" || action === "cancel") return action;
	throw createUnreadableError("action: expected accept, decline or cancel");
}

function isSamplingContent(value: unknown): value is SamplingContent {
	if (!isRecord(value)) return false;
	if (value.type === "text") return typeof value.text === "string";
	return (
		(value.type === "image" || value.type === "audio") &&
		typeof value.data === "string" &&
		typeof value.mimeType === "string"
	);
}

function isRoot(value: unknown): value is Root {
	return isRecord(value) && typeof value.uri === "string" && ["undefined", "string"].includes(typeof value.name);
}
