import type { CodePlace } from "./insertions.ts";

/** Why a snippet cannot be parsed, in one line, and the place if it is known. */
export type SyntaxProblem = { readonly message: string } & CodePlace;

export const TOO_DEEP = "the code is nested too deeply to be parsed";

/** Describes an error of the JavaScript parser: adds the token, which it does not name, and removes its own place. */
export function describeScriptProblem(thrown: unknown, text: string): SyntaxProblem {
	const { message } = errorText(thrown);
	if (!isParserError(thrown)) return { message };
	const { pos, raisedAt, loc } = thrown;
	const place = { line: loc.line, column: loc.column + 1 };
	const said = message.replace(/ \(\d+:\d+\)$/, "");
	return { message: said === "Unexpected token" ? unexpectedToken(text, pos, raisedAt) : said, ...place };
}

/** Describes an error of the type stripper, which got `text` with `before` extra characters on the first line. */
export function describeStrippingProblem(thrown: unknown, text: string, before: number): SyntaxProblem {
	const { message, stack } = errorText(thrown);
	// Node gives the place only above the stack: the line's number, its text, and a mark below it.
	const [, number, quoted] = /^[^\n]*:(\d+)\n(.*?)\n\nSyntaxError/s.exec(stack) ?? [];
	if (number === undefined) return { message };
	const lines = text.split("\n");
	const line = Number(number);
	const source = lines[line - 1];
	if (source === undefined) return { message: END, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
	const marked = (/^( *)\^+$/m.exec(quoted ?? "")?.[1]?.length ?? -1) + 1 - (line === 1 ? before : 0);
	// The mark counts terminal columns, which equal characters only in plain ASCII.
	return { message, line, ...(marked > 0 && PLAIN.test(source) && { column: marked }) };
}

const END = "Unexpected end of the code";
const PLAIN = /^[\x20-\x7e]*$/;
const MAX_TOKEN = 40;

type ParserError = { readonly pos: number; readonly raisedAt: number; readonly loc: { line: number; column: number } };

function isParserError(thrown: unknown): thrown is ParserError {
	return thrown instanceof SyntaxError && "pos" in thrown && "raisedAt" in thrown && "loc" in thrown;
}

function errorText(thrown: unknown): { readonly message: string; readonly stack: string } {
	if (thrown instanceof RangeError) return { message: TOO_DEEP, stack: "" };
	if (!(thrown instanceof Error)) return { message: "the code cannot be parsed", stack: "" };
	const said = thrown.message.split("\n", 1)[0] ?? "";
	const message = /^'import',? and 'export'/.test(said) ? `nothing can be imported or exported; ${SURROUNDINGS}` : said;
	return { message, stack: thrown.stack ?? "" };
}

function unexpectedToken(text: string, begin: number, end: number): string {
	if (begin >= text.length) return END;
	// Outside an async function `await` is an ordinary name, so the parser complains about the token after it.
	if (/\bawait\s+$/.test(text.slice(0, begin))) return "await isn't allowed in non-async function";
	return `Unexpected token '${text.slice(begin, Math.max(end, begin + 1)).slice(0, MAX_TOKEN)}'`;
}

/** A hint for code that tries to use modules, files or the network. */
export const SURROUNDINGS =
	"besides the language itself there are tools, console, progress and setTimeout: no modules, files or network";

/** Whether a name is a global in other environments, such as Node or a browser. */
export function isFoundElsewhere(name: string): boolean {
	return name in globalThis || ELSEWHERE.has(name);
}

const ELSEWHERE: ReadonlySet<string> = new Set([
	...["require", "module", "exports", "__dirname", "__filename", "fs", "path", "axios", "Deno", "Bun"],
	...["window", "document", "localStorage", "XMLHttpRequest", "callTool", "call_tool", "mcp", "client"],
]);
