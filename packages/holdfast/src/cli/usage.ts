import { type ParseArgsConfig, parseArgs } from "node:util";
import { durationMs, optionProblem, UsageError } from "libmcp/command";
import { came } from "./came.ts";

/** Compared by name, since the bundled command line and unbundled commands each have their own copy of the class. */
export function isUsageError(error: unknown): boolean {
	return error instanceof Error && error.name === "UsageError";
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * Parses options and at most `mostWords` positionals. Words after `--` are positionals too, so that a name may begin
 * with a dash; for a command that takes `another` command, they are that command and are returned unparsed.
 */
export function readArguments<const T extends Options>(
	args: readonly string[],
	options: T,
	mostWords = 0,
	takes: "words" | "another" = "words",
) {
	const end = takes === "words" ? -1 : args.indexOf("--");
	const own = end === -1 ? args : args.slice(0, end);
	const { values, positionals } = parsed([...own], options);
	const extra = positionals[mostWords];
	if (extra !== undefined)
		throw new UsageError(`${JSON.stringify(extra)}: expected ${mostWords === 0 ? "options only" : "nothing more"}`);
	return { values, words: positionals, after: end === -1 ? undefined : args.slice(end + 1) };
}

function parsed<const T extends Options>(args: string[], options: T) {
	try {
		return parseArgs({ args, options, allowPositionals: true, strict: true });
	} catch (error) {
		const names = Object.keys(options);
		throw new UsageError(optionProblem(error, args, names, `it has ${names.map((name) => `--${name}`).join(", ")}`));
	}
}

/** `250ms`, `30s`, `5m`, `1h30m`; a number without a unit counts seconds, and the help of each command with such an option says so. */
export function milliseconds(option: string, text: string): number {
	const found = durationMs(/^\d+(?:\.\d+)?$/.test(text) ? `${text}s` : text);
	if (found === undefined)
		throw new UsageError(`${option}: expected a time such as 500ms, 30s or 5m, got ${came(text)}`);
	return found;
}

export function portNumber(option: string, text: string): number {
	if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
		throw new UsageError(`${option}: expected a port from 0 to 65535, got ${came(text)}`);
	return Number(text);
}

export function wholeNumber(option: string, text: string): number {
	if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${option}: expected a whole number, got ${came(text)}`);
	return Number(text);
}
