import { writeStderr } from "libmcp/command";
import { serveSdkStdio } from "libmcp/sdk";
import { guardStdout, PROTOCOL_ERRORS, type ProtocolErrorCode, type RpcContext, type Session } from "libmcp/serve";
import { queueMax, toolTimeoutMs } from "../contract/environment.ts";
import type { ErrorCode } from "../contract/errors.ts";
import { describeServer } from "../tools/definitions.ts";
import { ToolRunner } from "../tools/toolRunner.ts";
import { Workspace } from "../workspace/workspace.ts";
import { makeToolDispatcher } from "./toolDispatcher.ts";

/** Serves MCP on this process's own stdin and stdout until the client closes its end. */
export async function serveMcp(repositories: readonly string[]): Promise<void> {
	const workspace = new Workspace({ repositories });
	const runner = new ToolRunner(workspace, readRunnerOptions());
	const roots = new DeclaredRoots(workspace);
	const { write } = guardStdout();
	const server = serveSdkStdio({
		dispatcher: makeToolDispatcher(runner, (context) => roots.learn(context)),
		description: describeServer("sdk"),
		streams: { input: process.stdin, output: process.stdout, write: (text) => write(translateErrorCode(text)) },
		onNotification: (method, _params, session) => {
			if (method === "notifications/roots/list_changed") roots.forget(session);
		},
	});
	endWithSignals(() => void server.close());
	await server.closed;
	await workspace.close();
}

export function readRunnerOptions(): ConstructorParameters<typeof ToolRunner>[1] {
	const max = queueMax();
	const timeoutMs = toolTimeoutMs();
	return {
		...(max !== undefined && { queueMax: max }),
		...(timeoutMs !== undefined && { timeoutMs }),
		log: makeCallLog(),
	};
}

/** Ends the server when stdout closes or on a termination signal. */
export function endWithSignals(end: () => void): void {
	process.stdout.on("error", end);
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, end);
}

const PATIENCE_MS = 2_000;

/** Asks a client that supports roots for them before its first call, and again after it announces a change. */
export class DeclaredRoots {
	readonly #workspace: Workspace;
	readonly #known = new WeakMap<Session, Promise<void>>();

	constructor(workspace: Workspace) {
		this.#workspace = workspace;
	}

	async learn({ session, client }: Pick<RpcContext, "session" | "client">): Promise<void> {
		if (session === undefined || client.capabilities.roots === undefined) return;
		let asking = this.#known.get(session);
		if (asking === undefined) {
			asking = this.#ask(session).then((folders) => {
				// The answer to an earlier question may come after that to a later one.
				if (this.#known.get(session) === asking) this.#workspace.declare(folders);
			});
			this.#known.set(session, asking);
		}
		await asking;
		if (this.#known.get(session) !== asking) await this.learn({ session, client });
	}

	forget(session: Session | undefined): void {
		if (session !== undefined) this.#known.delete(session);
	}

	/** A client that does not answer counts as having no roots. */
	async #ask(session: Session): Promise<string[]> {
		try {
			return await foldersOf(await session.request("roots/list", undefined, AbortSignal.timeout(PATIENCE_MS)));
		} catch {
			return [];
		}
	}
}

async function foldersOf(answer: unknown): Promise<string[]> {
	const { normalizeLocation } = await import("libmcp");
	if (typeof answer !== "object" || answer === null || !("roots" in answer) || !Array.isArray(answer.roots)) return [];
	return answer.roots.flatMap((root: unknown) => {
		if (typeof root !== "object" || root === null || !("uri" in root) || typeof root.uri !== "string") return [];
		const folder = normalizeLocation("uri", root.uri);
		return folder.ok ? [folder.value] : [];
	});
}

/** The transport's own errors mapped to this contract's codes; the original code becomes `data.reason`. */
const TABLED: Readonly<Record<ProtocolErrorCode, ErrorCode>> = {
	PARSE_ERROR: "INVALID_REQUEST",
	INVALID_REQUEST: "INVALID_REQUEST",
	NOT_INITIALIZED: "INVALID_REQUEST",
	ALREADY_INITIALIZED: "INVALID_REQUEST",
	DUPLICATE_ID: "INVALID_REQUEST",
	FRAME_TOO_LARGE: "INVALID_REQUEST",
	METHOD_NOT_FOUND: "INVALID_REQUEST",
	INVALID_PARAMS: "INVALID_REQUEST",
	INTERNAL: "INTERNAL",
	SUBSCRIPTION_LIMIT: "QUEUE_OVERLOADED",
	HEADER_MISMATCH: "INVALID_REQUEST",
	MISSING_CAPABILITY: "CAPABILITY_MISSING",
	UNSUPPORTED_VERSION: "INVALID_REQUEST",
};

/** Gives an error a code of the table in `data.code`; results and notifications pass through unchanged. */
export function translateErrorCode(line: string): string {
	if (!ERROR_ANSWER.test(line)) return line;
	const { jsonrpc, id, error } = JSON.parse(line);
	const { code = protocolCodeOf(error.code), reason, ...rest } = error.data ?? {};
	if (typeof code !== "string" || !isProtocolCode(code)) return line;
	const data = { code: TABLED[code], ...rest, ...(code !== TABLED[code] && { reason: reason ?? code.toLowerCase() }) };
	// The id is echoed verbatim, because a number beyond 2^53 would be rounded.
	const idText = typeof id === "number" ? (ERROR_ANSWER.exec(line)?.[1] ?? "null") : JSON.stringify(id);
	return `{"jsonrpc":${JSON.stringify(jsonrpc)},"id":${idText},"error":${JSON.stringify({ ...error, data })}}\n`;
}

const ERROR_ANSWER = /^\{"jsonrpc":"2\.0","id":(null|-?[\d.eE+-]+|"(?:[^"\\]|\\.)*"),"error":/;

function isProtocolCode(code: string): code is ProtocolErrorCode {
	return Object.hasOwn(PROTOCOL_ERRORS, code);
}

/** For the SDK's own errors, which have only the number. */
function protocolCodeOf(rpc: number): ProtocolErrorCode {
	return (
		Object.keys(PROTOCOL_ERRORS)
			.filter(isProtocolCode)
			.find((code) => PROTOCOL_ERRORS[code] === rpc) ?? "INTERNAL"
	);
}

const WAIT_MS = 25;
const MOST_WAITING = 64;

export type Log = (line: string, urgency?: "later") => void;

/**
 * Logs to standard error. Lines marked `later` are batched and written shortly after the responses they describe,
 * because each write would wake the reader of the log while the client waits.
 */
export function makeCallLog(write: (text: string) => unknown = writeStderr): Log {
	let waiting: string[] = [];
	let timer: NodeJS.Timeout | undefined;
	const flush = (): void => {
		clearTimeout(timer);
		timer = undefined;
		if (waiting.length > 0) write(waiting.join(""));
		waiting = [];
	};
	process.once("exit", flush);
	return (line, urgency) => {
		waiting.push(`pairofcleats: ${line}\n`);
		if (urgency === undefined || waiting.length >= MOST_WAITING) flush();
		else timer ??= setTimeout(flush, WAIT_MS).unref();
	};
}
