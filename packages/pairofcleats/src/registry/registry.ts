import { INDEX_TOOLS } from "./indexTools.ts";
import { MAINTENANCE_TOOLS } from "./maintenanceTools.ts";
import type { InputSchema, Tool } from "./tool.ts";

const DEFINED = { ...INDEX_TOOLS, ...MAINTENANCE_TOOLS } as const;

/** Every tool by name, in the order of the list. */
const TOOLS = {
	...DEFINED,
	index_build: alias("build_index"),
	check_status: alias("config_status"),
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof TOOLS;

export const TOOL_NAMES: readonly ToolName[] = Object.keys(TOOLS).filter(isToolName);

export function isToolName(name: unknown): name is ToolName {
	return typeof name === "string" && Object.hasOwn(TOOLS, name);
}

export function toolOf(name: ToolName): Tool {
	return TOOLS[name];
}

/** A tool under an older name: it takes and answers with the same. */
function alias<Target extends keyof typeof DEFINED>(target: Target) {
	return { ...DEFINED[target], description: `Deprecated: use ${target}.`, aliasOf: target };
}

/** The arguments of a tool, as its input schema lets them through. */
export type ToolArgumentsOf<Name extends ToolName> = ToolArguments[Name];

/** The members that a tool's result must have and may have; there may be others. */
export type ToolResultOf<Name extends ToolName> = ToolResults[Name];

type Tools = typeof TOOLS;
type ToolArguments = { readonly [Name in ToolName]: ArgumentsOf<Tools[Name]["inputSchema"]> };
type ToolResults = { readonly [Name in ToolName]: RequiredMembers<Tools[Name]> & OptionalMembers<Tools[Name]> };

type ArgumentsOf<Schema> =
	Schema extends InputSchema<infer Properties, infer Required>
		? { readonly [Name in Extract<keyof Properties, Required>]: ArgumentOf<Properties[Name]> } & {
				readonly [Name in Exclude<keyof Properties, Required>]?: ArgumentOf<Properties[Name]>;
			}
		: never;

/** A choice, a value of one of the types named, or nothing where an argument is reserved. */
type ArgumentOf<Schema> = Schema extends { readonly enum: readonly (infer Choice)[] }
	? Choice
	: Schema extends { readonly type: keyof ArgumentTypes }
		? ArgumentTypes[Schema["type"]]
		: Schema extends { readonly type: readonly (keyof ArgumentTypes)[] }
			? ArgumentTypes[Schema["type"][number]]
			: Schema extends { readonly not: unknown }
				? never
				: unknown;

type ArgumentTypes = {
	string: string;
	boolean: boolean;
	integer: number;
	number: number;
	object: Readonly<Record<string, unknown>>;
	/** Every list among the arguments is of texts. */
	array: readonly string[];
};

type RequiredMembers<Tool extends { readonly result: object }> = {
	readonly [Member in keyof Tool["result"]]: MemberOf<Tool["result"][Member]>;
};

type OptionalMembers<Tool> = Tool extends { readonly optional: infer Optional }
	? { readonly [Member in keyof Optional]?: MemberOf<Optional[Member]> }
	: unknown;

type MemberOf<Schema> = Schema extends { readonly type: keyof MemberTypes } ? MemberTypes[Schema["type"]] : unknown;

type MemberTypes = { string: string; integer: number; object: object; array: readonly unknown[] };
