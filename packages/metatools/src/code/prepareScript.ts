import { stripTypeScriptTypes } from "node:module";
import { type Node, parse } from "acorn";
import type { CodeLanguage } from "./engine.ts";
import { SURROUNDINGS } from "./surroundings.ts";

export type PreparedScript =
	| { readonly ok: true; readonly script: string }
	| { readonly ok: false; readonly message: string; readonly line?: number };

const HEAD = "(async () => {";
const TAIL = "\n})";

/**
 * Turns a snippet into an expression for an async function: `return` and `await` work at the top level, and the last
 * expression is returned. Lines stay where they were, so that errors name the caller's own lines.
 */
export function prepareScript(language: CodeLanguage, code: string): PreparedScript {
	const wrapped = `${HEAD}${withoutFence(code)}${TAIL}`;
	try {
		const plain = language === "typescript" ? stripTypeScriptTypes(wrapped) : wrapped;
		return { ok: true, script: returningLastExpression(plain) };
	} catch (thrown) {
		return (language === "javascript" && typed(code)) || syntaxProblem(thrown);
	}
}

/** Models often send code as they would show it; without the fence its lines stay where they were. */
function withoutFence(code: string): string {
	const begin = code.length - code.trimStart().length;
	const text = code.trim();
	const body = text.indexOf("\n");
	if (body === -1 || !FENCE.test(text.slice(0, body)) || !text.endsWith("\n```")) return code;
	return code.slice(0, begin) + text.slice(body, -"```".length);
}

const FENCE = /^```(?:js|jsx|javascript|ts|tsx|typescript)?\s*$/;

/** What is no JavaScript, but would be without its types, is taken for what it is. */
function typed(code: string): PreparedScript | undefined {
	const prepared = prepareScript("typescript", code);
	return prepared.ok ? prepared : undefined;
}

function returningLastExpression(script: string): string {
	const program = parse(script, { ecmaVersion: "latest", sourceType: "script" });
	const [statement, second] = program.body;
	// A snippet that closes the wrapper itself parses as several statements, or as a longer expression.
	if (second !== undefined || statement?.type !== "ExpressionStatement") throw new SyntaxError("Unexpected token '}'");
	const wrapper = statement.expression;
	if (wrapper.type !== "ArrowFunctionExpression" || wrapper.body.type !== "BlockStatement")
		throw new SyntaxError("Unexpected token '}'");
	const last = wrapper.body.body.findLast((node) => !yieldsNothing(node));
	if (last?.type !== "ExpressionStatement") return script;
	const text = script.slice(last.start, last.end).replace(/;$/, "");
	return `${script.slice(0, last.start)}return (${text});${script.slice(last.end)}`;
}

/** A completion value looks past these, as eval does. */
function yieldsNothing(node: Node): boolean {
	return node.type === "EmptyStatement" || node.type === "FunctionDeclaration";
}

function syntaxProblem(thrown: unknown): PreparedScript {
	if (thrown instanceof RangeError) return { ok: false, message: "the code is nested too deeply to be parsed" };
	if (!(thrown instanceof Error)) return { ok: false, message: "the code cannot be parsed" };
	const line = lineOf(thrown);
	// Acorn ends its messages with a position that counts the wrapper; the stripper quotes its own source.
	const said = (thrown.message.split("\n", 1)[0] ?? "").replace(/ \(\d+:\d+\)$/, "");
	const message = /^'import',? and 'export'/.test(said) ? `nothing can be imported or exported; ${SURROUNDINGS}` : said;
	return { ok: false, message, ...(line === undefined ? {} : { line }) };
}

function lineOf(thrown: Error): number | undefined {
	if (!("loc" in thrown) || typeof thrown.loc !== "object" || thrown.loc === null) return undefined;
	return "line" in thrown.loc && typeof thrown.loc.line === "number" ? thrown.loc.line : undefined;
}
