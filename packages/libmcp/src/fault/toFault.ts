import { type Fault, FaultError, isFault } from "./fault.ts";
import { type FaultCode, makeFault } from "./faultTable.ts";
import { isRpcError } from "./rpcError.ts";
import { readErrorCode } from "./thrown.ts";

/** Converts any thrown value to a typed fault. */
export function toFault(cause: unknown, generation = 0): Fault {
	if (cause instanceof FaultError) return cause.fault;
	if (isFault(cause)) return cause;
	if (isRpcError(cause)) {
		return makeFault("error_response", { detail: `error ${cause.code} from downstream`, generation });
	}
	if (cause instanceof SyntaxError) return makeFault("bad_json", { detail: firstLine(cause), generation });
	const name = errorName(cause);
	const line = firstLine(cause);
	// File system errors already begin with their code, and one with a system error as its cause is in our own words.
	const worded = line.startsWith(`${name}: `) || (cause instanceof Error && isSystemError(cause.cause));
	const detail = worded ? line : `${name}: ${line}`;
	return makeFault(BY_ERROR_NAME[name] ?? "unexpected_error", { detail, generation });
}

// Keyed by the `code` of a system error, or by the error's name if it has no code.
const BY_ERROR_NAME: Readonly<Record<string, FaultCode>> = {
	EPIPE: "broken_pipe",
	ECONNRESET: "connection_reset",
	ECONNREFUSED: "connection_refused",
	ENOTCONN: "not_connected",
	ERR_STREAM_DESTROYED: "stream_closed",
	ERR_STREAM_WRITE_AFTER_END: "stream_closed",
	ERR_STREAM_PREMATURE_CLOSE: "stream_closed",
	ENOENT: "command_not_found",
	ENOTDIR: "no_working_folder",
	EACCES: "command_not_executable",
	EAGAIN: "no_more_processes",
	EMFILE: "no_more_files",
	ENFILE: "no_more_files",
	ENOMEM: "out_of_memory",
	ENOSPC: "disk_full",
	ERR_OUT_OF_RANGE: "out_of_range",
	ETIMEDOUT: "timed_out",
	ABORT_ERR: "aborted",
	TimeoutError: "timed_out",
	AbortError: "aborted",
};

function errorName(cause: unknown): string {
	if (!(cause instanceof Error)) return cause === null ? "null" : typeof cause;
	if (cause.name === "TimeoutError" || cause.name === "AbortError") return cause.name;
	const code = readErrorCode(cause);
	return code !== undefined && Object.hasOwn(BY_ERROR_NAME, code) ? code : cause.name;
}

function isSystemError(cause: unknown): boolean {
	return cause instanceof Error && "syscall" in cause;
}

// Thrown values are hostile too: a getter or a proxy may throw again.
function firstLine(cause: unknown): string {
	try {
		const text = cause instanceof Error ? cause.message : String(cause);
		return (text.split(/[\r\n]/, 1)[0] ?? "").slice(0, 300);
	} catch {
		return "a value that cannot be shown";
	}
}
