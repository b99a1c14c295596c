import type { Dispatcher, Session } from "./dispatcher.ts";
import { isLogLevel, isRecord, LOG_LEVELS, type LogLevel, nameOf, severity } from "./protocol.ts";
import { protocolError } from "./rpcErrors.ts";

/** The minimum level that the client of a session asked for. */
const LEVEL_NOTE = "logLevel";

/** Answers `logging/setLevel`. */
export function loggingDispatcher(otherwise: Dispatcher): Dispatcher {
	return async (method, params, context) => {
		if (method !== "logging/setLevel") return otherwise(method, params, context);
		const level = isRecord(params) ? params.level : undefined;
		if (!isLogLevel(level)) {
			const came = typeof level === "string" ? JSON.stringify(level.slice(0, 64)) : nameOf(level);
			throw protocolError("INVALID_PARAMS", `level: expected one of ${LOG_LEVELS.join(", ")}, got ${came}`);
		}
		context.session?.notes.set(LEVEL_NOTE, level);
		return {};
	};
}

/** Whether the session's client wants this level. A client without a session says so in each request instead. */
export function mayLog(session: Session | undefined, level: LogLevel): boolean {
	const least = session?.notes.get(LEVEL_NOTE);
	return least === undefined || severity(level) >= severity(least);
}
