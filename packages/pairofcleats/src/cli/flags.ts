import { nearest, UsageError } from "libmcp/command";

/** Thrown for an unknown flag. */
export class UnknownFlagError extends UsageError {}

export type FlagSpec = {
	/** Name of the value in the result. */
	readonly name: string;
	readonly takes: "value" | "values" | "boolean" | "number";
	/** What an error says was expected, in the names of arguments. */
	readonly expects?: string;
	/** The values that the tab key offers. */
	readonly choices?: readonly string[];
};

export type ReadFlags = {
	readonly positional: readonly string[];
	readonly values: Readonly<Record<string, unknown>>;
};

export type FlagTable = Readonly<Record<string, FlagSpec>>;

/**
 * Reads flags by a table of their spellings. A flag that takes a value takes the next word whatever it begins with, so
 * `--risk-flow "->exec"` means what it says; `--no-x` is false for a yes-or-no flag; after `--` all is positional.
 */
export function readFlags(argv: readonly string[], table: FlagTable): ReadFlags {
	const positional: string[] = [];
	const values: Record<string, unknown> = {};
	for (let at = 0; at < argv.length; at++) {
		const word = spelledOut(argv[at] ?? "", table);
		if (word === "--") {
			positional.push(...argv.slice(at + 1));
			break;
		}
		if (!isFlag(word, table)) {
			positional.push(word);
			continue;
		}
		const [flag = "", ...rest] = word.split("=");
		const given = rest.length === 0 ? undefined : rest.join("=");
		const { spec, isNegated } = findSpec(flag, table);
		if (spec.takes === "boolean") values[spec.name] = readYesOrNo(flag, given) !== isNegated;
		else values[spec.name] = readValue(flag, given ?? argv[++at], spec, values[spec.name], table);
	}
	return { positional, values };
}

/** The row of a flag, or that of the yes-or-no flag which a `--no-` form denies. */
function findSpec(flag: string, table: FlagTable): { readonly spec: FlagSpec; readonly isNegated: boolean } {
	const own = specOf(flag, table);
	if (own) return { spec: own, isNegated: false };
	const negated = flag.startsWith("--no-") ? specOf(`--${flag.slice(5)}`, table) : undefined;
	if (negated?.takes !== "boolean") throw unknownFlag(flag, table);
	return { spec: negated, isNegated: true };
}

function readYesOrNo(flag: string, given = "true"): boolean {
	if (given === "true" || given === "false") return given === "true";
	throw new UsageError(`${flag}: expected nothing more, true or false, got ${quoteWord(given)}`);
}

/** What a flag stands for from now on, after the value it may have had before. */
function readValue(
	flag: string,
	value: string | undefined,
	{ takes, expects = "a number" }: FlagSpec,
	before: unknown,
	table: FlagTable,
): unknown {
	if (value === undefined) throw new UsageError(`${flag}: expected a value, got nothing`);
	if (takes === "values") return [...(Array.isArray(before) ? before : []), value];
	if (takes === "number") return toNumber(flag, value, withFlags(expects, table));
	if (typeof before === "string")
		throw new UsageError(`${flag}: expected once, got ${quoteWord(before)} and ${quoteWord(value)}`);
	return value;
}

/** `-n5` and `-n=5` are `-n 5`, for a flag of one letter that takes a number. */
function spelledOut(word: string, table: FlagTable): string {
	const [, flag = "", value] = /^(-[a-z])=?(-?\d+)$/.exec(word) ?? [];
	return specOf(flag, table)?.takes === "number" ? `${flag}=${value}` : word;
}

/** `-3` or `-term` alone is part of the query, not a flag. */
function isFlag(word: string, table: FlagTable): boolean {
	return word.startsWith("--") || specOf(word.split("=", 1)[0] ?? "", table) !== undefined;
}

/** Also recognises the tool's argument name (`dryRun`) and suggests the flag (`--dry-run`). */
function unknownFlag(flag: string, table: FlagTable): UsageError {
	const flags = new Map(
		Object.entries(table).flatMap(([known, { name, takes }]) => [
			[makeFlagName(name), known],
			[known, known],
			...(takes === "boolean" ? [[`--no-${known.slice(2)}`, `--no-${known.slice(2)}`] as const] : []),
		]),
	);
	const meant = nearest(flag, [...flags.keys()]);
	if (meant === undefined) return new UnknownFlagError(`no option ${flag}`);
	return new UsageError(`no option ${flag}; did you mean ${flags.get(meant)}?`);
}

/** `--dry-run` for `dryRun`. */
export function makeFlagName(name: string): string {
	return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Own properties only: names such as `constructor` exist on every object. */
function specOf(flag: string, table: FlagTable): FlagSpec | undefined {
	return Object.hasOwn(table, flag) ? table[flag] : undefined;
}

/** Replaces `modifiedAfter` in a text with `--modified-after`. Names of one word stay, as they may be plain words. */
export function withFlags(text: string, table: FlagTable): string {
	return text.replace(
		/\b[a-z]+[A-Z]\w*/g,
		(word) => Object.keys(table).find((flag) => table[flag]?.name === word) ?? word,
	);
}

function toNumber(flag: string, value: string, expected: string): number {
	const number = Number(value);
	if (value.trim() === "" || Number.isNaN(number))
		throw new UsageError(`${flag}: expected ${expected}, got ${quoteWord(value)}`);
	return number;
}

/** A text value that was given, or `undefined`. */
export function readTextFlag(values: ReadFlags["values"], name: string): string | undefined {
	const value = values[name];
	return typeof value === "string" ? value : undefined;
}

/** Reports surplus arguments instead of ignoring them. */
export function refuseFurtherWords(command: string, words: readonly string[]): void {
	if (words.length > 0)
		throw new UsageError(`${command}: expected no further words, got ${quoteWord(words.join(" "))}`);
}

/** A word as messages quote it. */
export function quoteWord(word: string | undefined): string {
	return word === undefined || word === "" ? "nothing" : JSON.stringify(word);
}
