import { createFault, type Fault, type FaultClass, isFault } from "./fault.ts";
import { FaultError } from "./faultError.ts";
import { RpcError } from "./rpcError.ts";

/** Converts anything thrown to a typed fault. All code goes through here. */
export function toFault(cause: unknown, generation = 0): Fault {
	if (cause instanceof FaultError) return cause.fault;
	if (isFault(cause)) return cause;
	if (cause instanceof RpcError) {
		return createFault("downstream", "error_response", { detail: `error ${cause.code} from downstream`, generation });
	}
	if (cause instanceof SyntaxError)
		return createFault("protocol", "bad_json", { detail: firstLine(cause), generation });
	const name = errorName(cause);
	const line = firstLine(cause);
	// Errors of the file system begin with their code.
	const detail = line.startsWith(`${name}: `) ? line : `${name}: ${line}`;
	const [kind, code] = BY_ERROR_NAME[name] ?? ["invariant", "unexpected_error"];
	return createFault(kind, code, { detail, generation });
}

// Keyed by `code` of a system error, or the name of an error that has none.
const BY_ERROR_NAME: Readonly<Record<string, readonly [FaultClass, string]>> = {
	EPIPE: ["transport", "broken_pipe"],
	ECONNRESET: ["transport", "connection_reset"],
	ECONNREFUSED: ["transport", "connection_refused"],
	ENOTCONN: ["transport", "not_connected"],
	ERR_STREAM_DESTROYED: ["transport", "stream_closed"],
	ERR_STREAM_WRITE_AFTER_END: ["transport", "stream_closed"],
	ERR_STREAM_PREMATURE_CLOSE: ["transport", "stream_closed"],
	ENOENT: ["process", "command_not_found"],
	ENOTDIR: ["process", "no_working_folder"],
	EACCES: ["process", "command_not_executable"],
	EAGAIN: ["resource", "no_more_processes"],
	EMFILE: ["resource", "no_more_files"],
	ENFILE: ["resource", "no_more_files"],
	ENOMEM: ["resource", "out_of_memory"],
	ENOSPC: ["resource", "disk_full"],
	ERR_OUT_OF_RANGE: ["invariant", "out_of_range"],
	ETIMEDOUT: ["timeout", "timed_out"],
	ABORT_ERR: ["timeout", "aborted"],
	TimeoutError: ["timeout", "timed_out"],
	AbortError: ["timeout", "aborted"],
};

function errorName(cause: unknown): string {
	if (!(cause instanceof Error)) return cause === null ? "null" : typeof cause;
	if (cause.name === "TimeoutError" || cause.name === "AbortError") return cause.name;
	const code = "code" in cause ? cause.code : undefined;
	return typeof code === "string" && Object.hasOwn(BY_ERROR_NAME, code) ? code : cause.name;
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
