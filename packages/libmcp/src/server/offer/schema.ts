import { describeKind } from "../protocol/protocol.ts";

/**
 * A schema of any library that implements Standard Schema and can convert itself to JSON Schema, such as zod and
 * arktype. Declared structurally, so that none of them is a dependency; `Value` is the type they infer.
 */
export type Schema<Value> = {
	readonly "~standard": {
		readonly version: 1;
		readonly vendor: string;
		readonly validate: (value: unknown) => Validated<Value> | Promise<Validated<Value>>;
		readonly jsonSchema: Readonly<Record<"input" | "output", (options: JsonSchemaOptions) => Record<string, unknown>>>;
		readonly types?: { readonly input: unknown; readonly output: Value } | undefined;
	};
};

type JsonSchemaOptions = { readonly target: "draft-2020-12" };

type Validated<Value> =
	| { readonly value: Value; readonly issues?: undefined }
	| { readonly issues: readonly SchemaIssue[] };

type SchemaIssue = {
	readonly message: string;
	readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
};

/** The parsed value, or the problems and where they are. */
export async function checkValue<Value>(
	schema: Schema<Value>,
	value: unknown,
): Promise<{ readonly value: Value } | { readonly problem: string }> {
	const { validate } = schema["~standard"];
	const result = await validate(value);
	if (result.issues === undefined) return { value: result.value };
	return { problem: result.issues.map((issue) => `${placeOf(issue)}${issue.message}`).join("; ") };
}

/** The JSON Schema; its root must be an object, as MCP requires. */
export function objectSchema(
	schema: Schema<unknown>,
	side: "input" | "output",
	where: string,
): Record<string, unknown> {
	const { $schema: _, ...shape } = jsonSchemaOf(schema, side, where);
	if (shape.type === "object") return shape;
	throw new TypeError(`${where}: expected the schema of an object, got ${JSON.stringify(shape.type ?? shape)}`);
}

/** The error explains itself in full, because JavaScript authors easily pass a bare shape or a JSON Schema here. */
function jsonSchemaOf(schema: Schema<unknown>, side: "input" | "output", where: string): Record<string, unknown> {
	const standard: Partial<Schema<unknown>["~standard"]> | undefined = Object(schema)["~standard"];
	if (standard?.jsonSchema === undefined) {
		const came = standard === undefined ? describeKind(schema) : `a schema of ${standard.vendor} that cannot`;
		throw new TypeError(`${where}: expected a schema that emits JSON Schema (zod 4.2, arktype), got ${came}`);
	}
	try {
		return standard.jsonSchema[side]({ target: "draft-2020-12" });
	} catch (error) {
		throw new TypeError(`${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
	}
}

/** The JSON Schema of a form; its members must not be objects. */
export function flatSchema(schema: Schema<unknown>, where: string): Record<string, unknown> {
	const shape = objectSchema(schema, "input", where);
	for (const [name, member] of Object.entries(Object(shape.properties))) {
		const type: unknown = Object(member).type;
		if (!FORM_TYPES.has(type))
			throw new TypeError(
				`${where}: ${name}: expected text, a number, a boolean or a choice, got ${JSON.stringify(type)}`,
			);
	}
	return shape;
}

const FORM_TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "array"]);

function placeOf({ path = [] }: SchemaIssue): string {
	const keys = path.map((step) => String(typeof step === "object" ? step.key : step));
	return keys.length === 0 ? "" : `${keys.join(".")}: `;
}
