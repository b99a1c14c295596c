import type { Effect } from "libmcp/serve";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of a tool's arguments, with their names and types kept for `ToolArgumentsOf`. */
export type InputSchema<Properties, Required> = {
	readonly type: "object";
	readonly properties: Properties;
	readonly required?: readonly Required[];
	readonly additionalProperties: false;
};

/** One tool: the source for its listing, validation, HTTP route, frozen contract and docs. */
export type Tool = {
	readonly title: string;
	readonly description: string;
	readonly inputSchema: JsonSchema;
	/** Members that a success always has, with their schemas; others may be there too. */
	readonly result: Readonly<Record<string, JsonSchema>>;
	/** Members that a success may have. */
	readonly optional?: Readonly<Record<string, JsonSchema>>;
	/** What is inside members of the result, for whoever reads them: described, and not promised. */
	readonly inside?: Readonly<Record<string, JsonSchema>>;
	readonly timeoutMs: number;
	/** What the host may do with a call whose worker died. */
	readonly effect: Effect;
	readonly readOnly: boolean;
	readonly destructive: boolean;
	/** The tool that answers for this deprecated name. */
	readonly aliasOf?: string;
	/** Checks that a schema cannot express; throws INVALID_REQUEST. */
	check?(args: Readonly<Record<string, unknown>>): void;
};

export const REPEATABLE: Effect = { recovery: { kind: "replay_safe" } };

/** How long a tool may run, by the kind of its work. */
export const SHORT_MS = 120_000;
export const MIDDLE_MS = 300_000;
export const LONG_MS = 600_000;
