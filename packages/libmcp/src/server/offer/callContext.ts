import { copyContext, type Dispatcher, type RpcContext, type Session } from "../protocol/dispatcher.ts";
import { describeKind, isLogLevel, isRecord, LOG_LEVELS, type LogLevel, rankSeverity } from "../protocol/protocol.ts";
import { protocolError } from "../protocol/rpcErrors.ts";
import { type Elicited, Questions, type Root, type Sampled, type SamplingRequest } from "./questions.ts";
import type { Schema } from "./schema.ts";

/**
 * What a tool, prompt or resource can do besides answering. A client with a handshake is asked at once. Otherwise the
 * request is answered with `input_required`, and `run` starts again when the client repeats it with the answers, so put
 * anything that must happen only once after the last question. Questions asked with `Promise.all` are sent together.
 */
export type CallContext = RpcContext & {
	/** Asks the user to fill in a form with the fields of a flat object. */
	elicit<Value>(message: string, fields: Schema<Value>): Promise<Elicited<Value>>;
	/** Asks the user to open a page. `accept` means that they agreed to, not that they have finished there. */
	elicitUrl(message: string, url: string): Promise<Elicited<undefined>>;
	/** Asks the client's model for a completion. */
	sample(request: SamplingRequest): Promise<Sampled>;
	/** The folders the client works in. */
	roots(): Promise<readonly Root[]>;
	/** Sends a log message to the client, if the client wants that level. */
	log(level: LogLevel, data: unknown, logger?: string): void;
};

/** Runs a handler; for a client without a handshake, open questions become an `input_required` result. */
export async function withQuestions(
	params: unknown,
	context: RpcContext,
	run: (context: CallContext) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
	const questions = new Questions(params, context);
	try {
		const result = await run(callContext(context, questions));
		return questions.open ?? result;
	} catch (error) {
		if (questions.open !== undefined) return questions.open;
		throw error;
	}
}

function callContext(context: RpcContext, questions: Questions): CallContext {
	const { session } = context;
	return {
		...copyContext(context),
		elicit: (message, fields) => questions.elicit(message, fields),
		elicitUrl: (message, url) => questions.elicitUrl(message, url),
		sample: (request) => questions.sample(request),
		roots: () => questions.roots(),
		log: (level, data, logger) => {
			if (mayLog(session, level))
				context.notify("notifications/message", { level, ...(logger !== undefined && { logger }), data });
		},
	};
}

/** The minimum level that the client of a session asked for. */
const LEVEL_NOTE = "logLevel";

/** Answers `logging/setLevel`. */
export function loggingDispatcher(otherwise: Dispatcher): Dispatcher {
	return async (method, params, context) => {
		if (method !== "logging/setLevel") return otherwise(method, params, context);
		const level = isRecord(params) ? params.level : undefined;
		if (!isLogLevel(level)) {
			const came = typeof level === "string" ? JSON.stringify(level.slice(0, 64)) : describeKind(level);
			throw protocolError("INVALID_PARAMS", `level: expected one of ${LOG_LEVELS.join(", ")}, got ${came}`);
		}
		context.session?.notes.set(LEVEL_NOTE, level);
		return {};
	};
}

/** Whether the session's client wants this level. A client without a session says so in each request instead. */
function mayLog(session: Session | undefined, level: LogLevel): boolean {
	const least = session?.notes.get(LEVEL_NOTE);
	return least === undefined || rankSeverity(level) >= rankSeverity(least);
}
