import { EFFECT_META_KEY, type Effect, parseEffect } from "../../replay/effect.ts";
import { isRecord } from "../protocol/protocol.ts";
import type { CallContext } from "./callContext.ts";
import { createUnexpectedError, partName } from "./part.ts";
import { checkValue, objectSchema, type Schema } from "./schema.ts";

/**
 * One tool: how it is listed, and what a call does. `Input` and `Output` come from its schemas. With `output`, `run`
 * returns a value of that schema, which is checked and sent as `structuredContent`; without it, a reply.
 */
export type ToolDefinition<Input, Output> = ToolDescription<Input> &
	(
		| { readonly output?: undefined; readonly run: Run<Input, ToolReply> }
		| { readonly output: Schema<Output>; readonly run: Run<Input, Output> }
	);

/** How a tool is listed. */
export type ToolDescription<Input> = {
	readonly name: string;
	readonly title?: string;
	/** What a model reads to decide whether to call it. */
	readonly description: string;
	/** Arguments that do not match never reach `run`; the model is told which are wrong and what was expected. */
	readonly input?: Schema<Input>;
	readonly annotations?: ToolAnnotations;
	readonly icons?: readonly Icon[];
	/** Whether a host may repeat a call that was in flight when the server died; by default it may not. */
	readonly effect?: Effect;
};

/** Throw a `ToolError` to tell the model what went wrong; the text of any other error is not shown to it. */
type Run<Input, Answer> = (input: Input, context: CallContext) => Answer | Promise<Answer>;

/** Hints for clients; `readOnlyHint` and `idempotentHint` also tell a host that a call may be repeated. */
export type ToolAnnotations = {
	readonly readOnlyHint?: boolean;
	readonly destructiveHint?: boolean;
	readonly idempotentHint?: boolean;
	readonly openWorldHint?: boolean;
};

export type Icon = {
	readonly src: string;
	readonly mimeType?: string;
	readonly sizes?: readonly string[];
	readonly theme?: "light" | "dark";
};

/** Text, or a whole result of `tools/call`. */
export type ToolReply = string | { readonly content: readonly ToolContent[]; readonly isError?: boolean };

export type ToolContent =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
	| { readonly type: "resource_link"; readonly uri: string; readonly name: string; readonly mimeType?: string }
	| {
			readonly type: "resource";
			readonly resource: { readonly uri: string; readonly mimeType?: string } & (
				| { readonly text: string }
				| { readonly blob: string }
			);
	  };

/** A failure with a message meant for the model. */
export class ToolError extends Error {
	override readonly name = "ToolError";
}

/** A tool as `toolDispatcher` serves it. */
export type Tool = {
	/** Its entry in `tools/list`. */
	readonly listed: { readonly name: string } & Readonly<Record<string, unknown>>;
	readonly call: (args: unknown, context: CallContext) => Promise<Record<string, unknown>>;
};

/** Throws a TypeError for a schema that is not an object's, an incomplete `effect`, or a wrong name or `run`. */
export function tool<Input = Record<string, unknown>, Output = never>(definition: ToolDefinition<Input, Output>): Tool {
	const { name, title, description, input, output, annotations, icons, effect, run } = definition;
	const where = partName("tool", name, { run });
	if (effect !== undefined && parseEffect(effect) === undefined)
		throw new TypeError(
			`${where}: effect: expected { recovery: { kind } } with keys such as "/key", got ${JSON.stringify(effect)}`,
		);
	return {
		listed: {
			name,
			...(title !== undefined && { title }),
			description,
			inputSchema: input === undefined ? { type: "object" } : objectSchema(input, "input", `${where}: input`),
			...(output !== undefined && { outputSchema: objectSchema(output, "output", `${where}: output`) }),
			...(annotations !== undefined && { annotations }),
			...(icons !== undefined && { icons }),
			...(effect !== undefined && { _meta: { [EFFECT_META_KEY]: effect } }),
		},
		call: async (args, context) => {
			// Without a schema `Input` has its default type, which any object satisfies.
			const given = input === undefined ? { value: args as Input } : await checkValue(input, args);
			if ("problem" in given) return failure(given.problem);
			try {
				return await resultOf(await run(given.value, context), output, where);
			} catch (error) {
				if (error instanceof ToolError) return failure(error.message);
				throw error;
			}
		},
	};
}

async function resultOf(
	answer: unknown,
	output: Schema<unknown> | undefined,
	where: string,
): Promise<Record<string, unknown>> {
	if (output === undefined) {
		if (typeof answer === "string") return text(answer);
		if (isRecord(answer) && Array.isArray(answer.content)) return { ...answer };
		throw createUnexpectedError(`${where}: run`, "text or { content: [] }, since output is not declared", answer);
	}
	const given = await checkValue(output, answer);
	if ("problem" in given) throw new TypeError(`${where}: output: ${given.problem}`);
	return { ...text(JSON.stringify(given.value)), structuredContent: given.value };
}

function failure(message: string): Record<string, unknown> {
	return { ...text(message), isError: true };
}

function text(said: string): Record<string, unknown> {
	return { content: [{ type: "text", text: said }] };
}
