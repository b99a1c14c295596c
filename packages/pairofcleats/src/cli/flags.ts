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
		const equals = word.indexOf("=");
		const flag = equals < 0 ? word : word.slice(0, equals);
		const own = specOf(flag, table);
		const negated = flag.startsWith("--no-") && !own ? specOf(`--${flag.slice(5)}`, table) : undefined;
		const spec = own ?? negated;
		if (!spec || (negated && negated.takes !== "boolean")) throw unknownFlag(flag, table);
		if (spec.takes === "boolean") {
			const said = equals < 0 ? "true" : word.slice(equals + 1);
			if (said !== "true" && said !== "false")
				throw new UsageError(`${flag}: expected nothing more, true or false, got ${quoted(said)}`);
			values[spec.name] = (negated === undefined) === (said === "true");
			continue;
		}
		const value = equals < 0 ? argv[++at] : word.slice(equals + 1);
		if (value === undefined) throw new UsageError(`${flag}: expected a value, got nothing`);
		if (spec.takes === "value" && typeof values[spec.name] === "string")
			throw new UsageError(`${flag}: expected once, got ${quoted(String(values[spec.name]))} and ${quoted(value)}`);
		if (spec.takes === "values") values[spec.name] = [...((values[spec.name] as string[] | undefined) ?? []), value];
		else
			values[spec.name] =
				spec.takes === "number" ? toNumber(flag, value, withFlags(spec.expects ?? "a number", table)) : value;
	}
	return { positional, values };
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
			[flagOf(name), known],
			[known, known],
			...(takes === "boolean" ? [[`--no-${known.slice(2)}`, `--no-${known.slice(2)}`] as const] : []),
		]),
	);
	const meant = nearest(flag, [...flags.keys()]);
	if (meant === undefined) return new UnknownFlagError(`no option ${flag}`);
	return new UsageError(`no option ${flag}; did you mean ${flags.get(meant)}?`);
}

/** `--dry-run` for `dryRun`. */
export function flagOf(name: string): string {
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
		throw new UsageError(`${flag}: expected ${expected}, got ${quoted(value)}`);
	return number;
}

/** A text value that was given, or `undefined`. */
export function textFlag(values: ReadFlags["values"], name: string): string | undefined {
	const value = values[name];
	return typeof value === "string" ? value : undefined;
}

/** Reports surplus arguments instead of ignoring them. */
export function noFurtherWords(command: string, words: readonly string[]): void {
	if (words.length > 0) throw new UsageError(`${command}: expected no further words, got ${quoted(words.join(" "))}`);
}

/** A word as messages quote it. */
export function quoted(word: string | undefined): string {
	return word === undefined || word === "" ? "nothing" : JSON.stringify(word);
}
