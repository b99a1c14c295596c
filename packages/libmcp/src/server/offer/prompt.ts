import { isRecord } from "../protocol/protocol.ts";
import { protocolError } from "../protocol/rpcErrors.ts";
import type { CallContext } from "./callContext.ts";
import type { Completions } from "./completion.ts";
import { createUnexpectedError, partName } from "./part.ts";
import { checkValue, objectSchema, type Schema } from "./schema.ts";
import type { Icon, ToolContent } from "./tool.ts";

/** One prompt: its listing, and the messages it produces. Clients send every argument as text. */
export type PromptDefinition<Input> = {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	/** Arguments that do not match never reach `run`; the client is told which are wrong and what was expected. */
	readonly input?: Schema<Input>;
	/** Suggestions while an argument is being typed. */
	readonly complete?: Completions<keyof Input & string>;
	readonly icons?: readonly Icon[];
	readonly run: (input: Input, context: CallContext) => PromptReply | Promise<PromptReply>;
};

/** The text of one user message, or a list of messages. */
export type PromptReply = string | readonly PromptMessage[];

export type PromptMessage = { readonly role: "user" | "assistant"; readonly content: ToolContent };

/** A prompt as `mcpServer` serves it. */
export type Prompt = {
	/** Its entry in `prompts/list`. */
	readonly listed: { readonly name: string } & Readonly<Record<string, unknown>>;
	readonly complete: Completions<string>;
	readonly get: (args: unknown, context: CallContext) => Promise<Record<string, unknown>>;
};

/** Throws a TypeError when the schema is not an object's, the name is not text or `run` is not a function. */
export function prompt<Input = Record<string, string>>(definition: PromptDefinition<Input>): Prompt {
	const { name, title, description, input, complete, icons, run } = definition;
	const where = partName("prompt", name, { run });
	const about = { ...(description !== undefined && { description }) };
	return {
		listed: {
			name,
			...(title !== undefined && { title }),
			...about,
			...(input !== undefined && { arguments: argumentsOf(input, `${where}: input`) }),
			...(icons !== undefined && { icons }),
		},
		complete: { ...complete },
		get: async (args, context) => {
			// Without a schema `Input` has its default type, which any text arguments satisfy.
			const given = input === undefined ? { value: args as Input } : await checkValue(input, args);
			if ("problem" in given) throw protocolError("INVALID_PARAMS", `arguments: ${given.problem}`);
			const reply = await run(given.value, context);
			if (typeof reply === "string")
				return { ...about, messages: [{ role: "user", content: { type: "text", text: reply } }] };
			if (!Array.isArray(reply)) throw createUnexpectedError(`${where}: run`, "text or a list of messages", reply);
			return { ...about, messages: reply };
		},
	};
}

/** MCP lists a prompt's arguments one by one, not as a schema. */
function argumentsOf(input: Schema<unknown>, where: string): Record<string, unknown>[] {
	const { properties, required } = objectSchema(input, "input", where);
	return Object.entries(isRecord(properties) ? properties : {}).map(([name, member]) => {
		const { title, description } = isRecord(member) ? member : {};
		return {
			name,
			...(title !== undefined && { title }),
			...(description !== undefined && { description }),
			required: Array.isArray(required) && required.includes(name),
		};
	});
}
