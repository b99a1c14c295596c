import { getSystemErrorMessage } from "node:util";

/** Every error code of this package, with its HTTP status and JSON-RPC code. */
export const ERROR_TABLE = {
	INVALID_REQUEST: {
		meaning: "The request is malformed or an argument has the wrong type, range or form.",
		remedy: "Correct the field that the message names.",
		http: 400,
		rpc: -32602,
	},
	UNKNOWN_TOOL: {
		meaning: "No tool has this name.",
		remedy: "Ask for the tool list and use a name from it.",
		http: 404,
		rpc: -32602,
	},
	NOT_FOUND: {
		meaning: "The named file, index or other resource does not exist.",
		remedy: "Check the name; build the index if the resource comes from it.",
		http: 404,
		rpc: -32603,
	},
	NO_INDEX: {
		meaning: "The repository has no index yet.",
		remedy: "Build one: `pairofcleats index build`, or the build_index tool.",
		http: 409,
		rpc: -32603,
	},
	CAPABILITY_MISSING: {
		meaning: "An optional dependency or a platform ability is absent.",
		remedy: "Install what the message names, or leave the option out.",
		http: 501,
		rpc: -32603,
	},
	QUEUE_OVERLOADED: {
		meaning: "No more work is accepted just now: the queue is full or another process is writing the index.",
		remedy: "Retry later, or send fewer requests at once.",
		http: 503,
		rpc: -32001,
	},
	TOOL_TIMEOUT: {
		meaning: "The work ran past its time limit and was stopped.",
		remedy: "Narrow the request or raise the limit.",
		http: 504,
		rpc: -32603,
	},
	CANCELLED: {
		meaning: "The caller cancelled the request.",
		remedy: "None; this is what was asked for.",
		http: 499,
		rpc: -32603,
	},
	INTERNAL: {
		meaning: "An unexpected failure inside the server.",
		remedy: "Report it with the log lines of this request id.",
		http: 500,
		rpc: -32603,
	},
	UNAUTHORIZED: {
		meaning: "A required credential is missing or wrong.",
		remedy: "Send the configured token.",
		http: 401,
		rpc: -32603,
	},
	FORBIDDEN: {
		meaning: "Access is refused, for example to a repository outside the allow-list.",
		remedy: "Use an allowed repository, or extend the allow-list.",
		http: 403,
		rpc: -32603,
	},
	DOWNLOAD_VERIFY_FAILED: {
		meaning: "A downloaded file does not have the expected digest; nothing of it was kept.",
		remedy: "Retry; if it fails again, check the source and any proxy between.",
		http: 502,
		rpc: -32603,
	},
	ARCHIVE_UNSAFE: {
		meaning: "An archive holds an entry that would escape its folder or is otherwise dangerous; nothing was extracted.",
		remedy: "Use an archive from a source you trust.",
		http: 422,
		rpc: -32603,
	},
	ARCHIVE_TOO_LARGE: {
		meaning: "An archive breaks a size limit; nothing was left behind.",
		remedy: "Use a smaller archive or raise the limit.",
		http: 413,
		rpc: -32603,
	},
} as const satisfies Record<string, ErrorRow>;

export type ErrorRow = {
	readonly meaning: string;
	readonly remedy: string;
	/** Status of an HTTP response that carries this code. */
	readonly http: number;
	/** Numeric code of a JSON-RPC error that carries this code. */
	readonly rpc: number;
};

export type ErrorCode = keyof typeof ERROR_TABLE;

/** The error class of this package. `details` is structured data for the caller. */
export class CleatsError extends Error {
	readonly code: ErrorCode;
	readonly details: Readonly<Record<string, unknown>>;

	constructor(
		code: ErrorCode,
		message: string,
		details: Readonly<Record<string, unknown>> = {},
		options: { cause?: unknown } = {},
	) {
		super(message, options);
		this.name = "CleatsError";
		this.code = code;
		this.details = details;
	}
}

/** The part of an error that is passed between processes and threads. */
export type ToldError = Pick<CleatsError, "code" | "message" | "details">;

/** Also true for errors of another copy of this module: servers are bundled, workers are not. */
export function isCleatsError(thrown: unknown): thrown is CleatsError {
	if (thrown instanceof CleatsError) return true;
	return thrown instanceof Error && thrown.name === "CleatsError" && "code" in thrown && isErrorCode(thrown.code);
}

function isErrorCode(code: unknown): code is ErrorCode {
	return typeof code === "string" && Object.hasOwn(ERROR_TABLE, code);
}

/** Converts anything thrown to an error with a code from the table. */
export function toCleatsError(thrown: unknown): CleatsError {
	if (isCleatsError(thrown)) return thrown;
	if (thrown instanceof Error && thrown.name === "AbortError") {
		return new CleatsError("CANCELLED", "the request was cancelled", {}, { cause: thrown });
	}
	if (thrown instanceof Error && "syscall" in thrown && thrown.syscall === "uv_cwd") {
		const message = "the folder this was started in is gone; change to one that is there";
		return new CleatsError("NOT_FOUND", message, {}, { cause: thrown });
	}
	const stored = notStored(thrown);
	if (stored !== undefined) return stored;
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	return new CleatsError("INTERNAL", message, {}, { cause: thrown });
}

/** An error for disk problems (full, read-only), which the message explains because only the user can fix them. */
export function notStored(cause: unknown): CleatsError | undefined {
	const trouble = storageTrouble(cause);
	if (trouble === undefined) return undefined;
	const remedy = "PAIROFCLEATS_CACHE_ROOT (for records PAIROFCLEATS_DATA_ROOT) names another folder";
	return new CleatsError("INTERNAL", `nothing can be written: ${trouble}; ${remedy}`, {}, { cause });
}

/** While the first index is being built, nobody should begin another. */
export function firstIndexUnderWay({ done, total }: { readonly done?: number; readonly total?: number }): CleatsError {
	const progress = done === undefined || total === undefined ? "" : ` (${done} of ${total} files)`;
	return new CleatsError("NO_INDEX", `the repository's first index is being built${progress}; search again soon`, {
		reason: "being_built",
		retryable: true,
	});
}

/** A damaged index is built again by whoever finds it so. */
export function indexUnderRepair(): CleatsError {
	return new CleatsError("NO_INDEX", "the index was damaged and is being built again; search again soon", {
		reason: "being_built",
		retryable: true,
	});
}

export function noIndex(): CleatsError {
	return new CleatsError("NO_INDEX", "the repository has no index; build one first", {
		hint: "call build_index, or run pairofcleats index build",
	});
}

export function damagedIndex(cause: unknown): CleatsError {
	return new CleatsError("NO_INDEX", "the index cannot be read; build it again", { reason: "damaged" }, { cause });
}

/** An error for an invalid argument; its message names the field, the expectation and the value. */
export function invalidField(field: string, expected: string, value: unknown): CleatsError {
	return new CleatsError("INVALID_REQUEST", `${field}: expected ${expected}, got ${describe(value)}`, {
		field,
		expected,
	});
}

/** Formats a value briefly for an error message. */
export function describe(value: unknown): string {
	if (value === undefined) return "nothing";
	const text = typeof value === "string" || typeof value === "object" ? written(value) : String(value);
	return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function written(value: unknown): string {
	try {
		return JSON.stringify(value);
	} catch {
		return "a value that is nested too deeply";
	}
}

/** SQLite's primary result codes (the low byte) for disks that cannot be used. */
const OF_SQLITE: Readonly<Record<number, string>> = {
	8: "read-only file system",
	10: "the disk is full, or fails",
	13: "no space left on device",
	14: "its folder is read-only, full or another user's",
};
const OF_DISKS: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS"]);
/**
 * A denied permission is a storage problem only if the call was to change something; otherwise it concerns a single
 * file.
 */
const OF_RIGHTS: ReadonlySet<unknown> = new Set(["EACCES", "EPERM"]);
const CHANGES: ReadonlySet<unknown> = new Set(["mkdir", "rename", "unlink", "rm", "rmdir", "write", "copyfile"]);
/** Node's message when a removal fails with an error code it has no name for. */
const UNNAMED = /^, Unknown error: (.+?) '/;

type Facts = Error & { code?: unknown; errno?: unknown; errcode?: unknown; syscall?: unknown };

/**
 * Explains why something could not be stored, if the disk is the reason. Uses the system's message without the path,
 * which remote callers must not see.
 */
export function storageTrouble(thrown: unknown): string | undefined {
	if (!(thrown instanceof Error)) return undefined;
	const { code, errno, errcode, syscall }: Facts = thrown;
	if (typeof errcode === "number") return OF_SQLITE[errcode & 0xff];
	if (typeof errno === "number" && (OF_DISKS.has(code) || (OF_RIGHTS.has(code) && CHANGES.has(syscall))))
		return getSystemErrorMessage(errno);
	return UNNAMED.exec(thrown.message)?.[1]?.toLowerCase();
}
