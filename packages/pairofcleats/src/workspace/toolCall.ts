import type { EnvelopeWarning } from "../contract/envelope.ts";
import type { ToolArgumentsOf, ToolName, ToolResultOf } from "../registry/registry.ts";
import type { OpenedRepository, Workspace } from "./workspace.ts";

/** Does the work of a tool. Arguments have been validated; what is thrown becomes an error of the table. */
export type ToolHandler<Name extends ToolName> = (
	args: ToolArgumentsOf<Name>,
	call: ToolCall,
) => Promise<ToolResultOf<Name>>;

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

export type ProgressReport = {
	readonly phase: string;
	readonly message: string;
	readonly done?: number;
	readonly total?: number;
};
