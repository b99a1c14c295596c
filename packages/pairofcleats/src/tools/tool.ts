import type { Effect } from "libmcp/serve";
import type { EnvelopeWarning, ToolResult } from "../contract/envelope.ts";
import type { Repository } from "../repo/repository.ts";
import type { Workspace } from "./workspace.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;
export type ToolArguments = Readonly<Record<string, unknown>>;

/** One tool: everything that listing, validation, HTTP, the frozen contract and the docs say of it. */
export type Tool = {
	readonly title: string;
	readonly description: string;
	readonly inputSchema: JsonSchema;
	/** Members that a success always has, with their schemas; others may be there too. */
	readonly result: Readonly<Record<string, JsonSchema>>;
	/** Members that a success may have. */
	readonly optional?: Readonly<Record<string, JsonSchema>>;
	readonly timeoutMs: number;
	/** What the host may do with a call whose worker died. */
	readonly effect: Effect;
	readonly readOnly: boolean;
	readonly destructive: boolean;
	/** The tool that answers for this deprecated name. */
	readonly aliasOf?: string;
	/** Checks that a schema cannot express; throws INVALID_REQUEST. */
	check?(args: ToolArguments): void;
};

/** Does the work of a tool. Arguments have been validated; what is thrown becomes an error of the table. */
export type ToolHandler = (args: ToolArguments, call: ToolCall) => Promise<ToolResult>;

export type HandlerModule = { readonly handler: ToolHandler };

/** What a handler may know of, and do about, the call it is answering. */
export type ToolCall = {
	/** Aborted when the caller cancels or disconnects and when the tool's time is over. Pass it to all work. */
	readonly signal: AbortSignal;
	readonly workspace: Workspace;
	/** Whether the caller is a local user at the command line, with a working directory and their own rights. */
	readonly here: boolean;
	/** Whether the answer will only be serialised, so that parts of it may already be JSON text. */
	readonly written: boolean;
	/** The repository named by `repoPath`, or the default one; FORBIDDEN outside the allow-list. */
	repository(): Promise<OpenedRepository>;
	/** Reports progress; each surface limits or drops it as needed. */
	progress(report: ProgressReport): void;
	warn(warning: EnvelopeWarning): void;
};

export type OpenedRepository = {
	/** The path as the caller sent it, else the repository's folder name: no path of this machine. */
	readonly label: string;
	readonly root: string;
	readonly engine: Repository;
};

export type ProgressReport = {
	readonly phase: string;
	readonly message: string;
	readonly done?: number;
	readonly total?: number;
};
