import { isIP } from "node:net";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { durationMs, optionProblem, UsageError } from "libmcp/command";
import { findRepositoryProblem } from "../config/installation.ts";

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
	const { values, positionals } = parseOptions([...own], options);
	const extra = positionals[mostWords];
	if (extra !== undefined)
		throw new UsageError(`${JSON.stringify(extra)}: expected ${mostWords === 0 ? "options only" : "nothing more"}`);
	return { values, words: positionals, after: end === -1 ? undefined : args.slice(end + 1) };
}

function parseOptions<const T extends Options>(args: string[], options: T) {
	try {
		return parseArgs({ args, options, allowPositionals: true, strict: true });
	} catch (error) {
		const names = Object.keys(options);
		throw new UsageError(optionProblem(error, args, names, `it has ${names.map((name) => `--${name}`).join(", ")}`));
	}
}

/** `250ms`, `30s`, `5m`, `1h30m`; a number without a unit counts seconds, and the help of each command with such an option says so. */
export function readMilliseconds(option: string, text: string): number {
	const found = durationMs(/^\d+(?:\.\d+)?$/.test(text) ? `${text}s` : text);
	if (found === undefined)
		throw new UsageError(`${option}: expected a time such as 500ms, 30s or 5m, got ${nameGiven(text)}`);
	return found;
}

export function readPort(option: string, text: string): number {
	if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
		throw new UsageError(`${option}: expected a port from 0 to 65535, got ${nameGiven(text)}`);
	return Number(text);
}

export function readWholeNumber(option: string, text: string): number {
	if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${option}: expected a whole number, got ${nameGiven(text)}`);
	return Number(text);
}

/** The file that `--config` names. An empty name, which a variable that is not set leaves, would leave its rules out. */
export function readConfigOption({ config }: { readonly config?: string }): { readonly configFile?: string } {
	if (config === "") throw new UsageError("--config: expected a file, got nothing");
	return config === undefined ? {} : { configFile: config };
}

/** The folder that `--repo` names, or this one. */
export function readRepositoryOption({ repo, bare }: { readonly repo?: string; readonly bare: boolean }): string {
	const problem = repo === undefined || bare ? undefined : findRepositoryProblem(repo);
	if (problem !== undefined) throw new UsageError(`--repo: expected ${problem}, got ${nameGiven(repo)}`);
	return repo ?? process.cwd();
}

/** Whether a text can name a machine at all: `999.1.1.1` and a whole URL cannot, `0` and `127.1` stand for addresses. */
export function isHostName(text: string): boolean {
	return (
		isIP(text) !== 0 ||
		/^(?:[\w-]+\.)*[\w-]*[a-z][\w-]*\.?$/i.test(text) ||
		/^(?:\d+|127(?:\.\d{1,3}){1,2})$/.test(text)
	);
}

/** Names, in an error, the word that was given. An empty word, as an unset variable leaves it, is named nothing. */
export function nameGiven(word: string | undefined): string {
	return word || "nothing";
}
