import type { Answers } from "../../../api/answers.ts";

/** The parts of a JSON schema that the page reads. */
export type Schema = {
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly description?: string;
	readonly default?: unknown;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
	readonly allOf?: readonly Schema[];
	readonly not?: boolean | Schema;
	readonly $ref?: string;
	readonly additionalProperties?: boolean | Schema;
	readonly patternProperties?: Readonly<Record<string, Schema>>;
	readonly minimum?: number;
	readonly maximum?: number;
};

/** The schema of a tool's arguments, as its server declares it. */
export function argumentsOf({ inputSchema }: Answers["describeTool"]["definition"]): Schema {
	return typeof inputSchema === "object" && inputSchema !== null ? inputSchema : {};
}
