import type { TOOLS, ToolName } from "./registry.ts";
import type { InputSchema } from "./tool.ts";

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
