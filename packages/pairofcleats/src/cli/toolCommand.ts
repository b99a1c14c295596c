import { randomUUID } from "node:crypto";
import { plainText, suggestion, UsageError } from "libmcp/command";
import { CleatsError } from "../contract/errors.ts";
import { type ToolName, toolOf } from "../registry/registry.ts";
import { renderEnvelope, renderResult } from "../server/renderResult.ts";
import { ToolRunner } from "../tools/toolRunner.ts";
import { validateArguments } from "../tools/validateArguments.ts";
import { readList, readText } from "../triage/fields.ts";
import { Workspace } from "../workspace/workspace.ts";
import type { Command } from "./command.ts";
import { type FlagSpec, type FlagTable, makeFlagName, quoteWord, readFlags } from "./flags.ts";
import { readFolder } from "./repositoryCommand.ts";
import { EXIT, type Terminal, warn } from "./terminal.ts";

/** A word of the command line and the tool it runs; further words fill these arguments, under the usage's names, in order. */
export type Action = { readonly tool: ToolName; readonly words?: Readonly<Record<string, string>> };

/**
 * A command whose actions are tools: flags come from the tool's own schema, so the two cannot differ. `others` are further
 * actions, handled elsewhere, that the usage message must name.
 */
export function makeToolCommand(
	name: string,
	actions: Readonly<Record<string, Action>>,
	others: readonly string[] = [],
): Command {
	return async (argv, terminal) => {
		const only = Object.keys(actions).length === 1 ? actions[""] : undefined;
		const [word = "", ...rest] = only === undefined ? argv : ["", ...argv];
		const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
		if (action === undefined) {
			const known = [...Object.keys(actions), ...others];
			throw new UsageError(`${name}: expected ${known.join(", ")}, got ${quoteWord(word)}${suggestion(word, known)}`);
		}
		return run(`${name} ${word}`.trim(), action, rest, terminal);
	};
}

async function run(
	name: string,
	{ tool, words: names = {} }: Action,
	argv: readonly string[],
	terminal: Terminal,
): Promise<number> {
	const { positional: words, values } = readFlags(argv, { ...flagsOf(tool), ...COMMON_FLAGS });
	const { json, repoPath, ...rest } = values;
	const required = requiredOf(tool);
	const positional = Object.keys(names);
	const missing = positional.slice(words.length).some((word) => required.includes(word) && rest[word] === undefined);
	if (words.length > positional.length || missing) {
		const expected =
			Object.values(names)
				.map((word) => `<${word}>`)
				.join(" ") || "no words";
		throw new UsageError(`${name}: expected ${expected}, got ${quoteWord(words.join(" "))}`);
	}
	const named = Object.fromEntries(words.map((word, index) => [positional[index] ?? "", word]));
	const args = validateArguments(tool, parsed(tool, { ...rest, ...named }));
	const needsOne = repoPath !== undefined || "repoPath" in propertiesOf(tool);
	const workspace = new Workspace({ repositories: [needsOne ? readFolder(values) : process.cwd()] });
	try {
		const envelope = await new ToolRunner(workspace).run(tool, args, {
			requestId: randomUUID(),
			signal: terminal.interrupted,
			here: true,
			onProgress: ({ message }) => terminal.status(plainText(message)),
		});
		terminal.status("");
		if (!envelope.ok) throw new CleatsError(envelope.error.code, envelope.error.message, envelope.error.details);
		for (const { message } of envelope._meta.warnings ?? []) warn(terminal, message);
		if (json === true) terminal.out(JSON.stringify(envelope.result));
		else terminal.out(renderResult(tool, envelope.result) ?? renderEnvelope(envelope));
		return failedInPart(envelope.result) ? EXIT.failed : EXIT.done;
	} finally {
		await workspace.close();
	}
}

/** True when one of several reports or steps failed: the exit code must tell a script so. */
function failedInPart(result: unknown): boolean {
	const steps = readList(result, "steps").map((step) => readText(step, "outcome"));
	return readList(result, "errors").length > 0 || steps.includes("failed");
}

const COMMON_FLAGS: FlagTable = {
	"--repo": { name: "repoPath", takes: "value" },
	"--json": { name: "json", takes: "boolean" },
};

/** The flags of all actions that the help lists. */
export function listToolFlags(actions: Readonly<Record<string, Action>>): Record<string, FlagSpec> {
	const own = Object.values(actions).flatMap(({ tool, words = {} }) =>
		Object.entries(flagsOf(tool)).filter(([, { name }]) => !Object.hasOwn(words, name) && !HIDDEN.includes(name)),
	);
	return { ...Object.fromEntries(own), ...COMMON_FLAGS };
}

/** What the usage calls the arguments of all actions that are given as words. */
export function listToolWords(actions: Readonly<Record<string, Action>>): Record<string, string> {
	return Object.assign({}, ...Object.values(actions).map(({ words }) => words));
}

/** What each action does, the words it takes and its flags, from the tool's own schema. */
export function writeToolHelp(name: string, actions: Readonly<Record<string, Action>>): string[] {
	return Object.entries(actions).flatMap(([word, { tool, words: names = {} }]) => {
		const properties = propertiesOf(tool);
		const rows = Object.entries(flagsOf(tool)).flatMap(([flag, spec]) => {
			if (Object.hasOwn(names, spec.name) || HIDDEN.includes(spec.name)) return [];
			const { type, description, enum: choices } = properties[spec.name] ?? {};
			const says = [description, Array.isArray(choices) ? choices.join(", ") : undefined].filter(Boolean).join(": ");
			const takes = type === "object" ? " JSON" : PLACEHOLDERS[spec.takes];
			return [{ flag: `${flag}${takes}`, says }];
		});
		const width = Math.max(0, ...rows.map(({ flag }) => flag.length));
		const words = Object.entries(names).map(([argument, word]) => {
			const choices = properties[argument]?.enum;
			return Array.isArray(choices) ? `<${choices.join("|")}>` : `<${word}>`;
		});
		return [
			"",
			`  ${[name, word, ...words].filter((part) => part !== "").join(" ")}`,
			`      ${toolOf(tool).description}`,
			...rows.map(({ flag, says }) => `      ${flag.padEnd(width)}  ${says}`.trimEnd()),
		];
	});
}

/** Arguments not shown per action: documented once for all commands, or only useful over MCP. */
const HIDDEN: readonly string[] = ["repoPath", "render"];
const PLACEHOLDERS: Readonly<Record<FlagSpec["takes"], string>> = {
	value: " TEXT",
	values: " TEXT...",
	number: " N",
	boolean: "",
};

/** `--dry-run` for `dryRun`, taking what the schema says. */
function flagsOf(tool: ToolName): Record<string, FlagSpec> {
	return Object.fromEntries(
		Object.entries(propertiesOf(tool)).map(([name, schema]): [string, FlagSpec] => {
			const types = [schema.type].flat();
			const takes = types.includes("boolean")
				? "boolean"
				: types.includes("array")
					? "values"
					: types.includes("number") || types.includes("integer")
						? "number"
						: "value";
			return [makeFlagName(name), { name, takes }];
		}),
	);
}

/** An object is written as JSON on the command line. */
function parsed(tool: ToolName, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const properties = propertiesOf(tool);
	return Object.fromEntries(
		Object.entries(values).map(([name, value]) => {
			if (properties[name]?.type !== "object" || typeof value !== "string") return [name, value];
			try {
				return [name, JSON.parse(value)];
			} catch {
				throw new UsageError(`${makeFlagName(name)}: expected JSON, got ${JSON.stringify(value)}`);
			}
		}),
	);
}

function requiredOf(tool: ToolName): readonly string[] {
	const { required } = toolOf(tool).inputSchema;
	return Array.isArray(required) ? required.map(String) : [];
}

type Property = { readonly type?: unknown; readonly description?: string; readonly enum?: unknown };

function propertiesOf(tool: ToolName): Readonly<Record<string, Property>> {
	const { properties } = toolOf(tool).inputSchema;
	return typeof properties === "object" && properties !== null ? (properties as Record<string, Property>) : {};
}
