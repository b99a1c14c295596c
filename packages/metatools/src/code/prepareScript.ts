import { stripTypeScriptTypes } from "node:module";
import { type Node, parse } from "acorn";
import type { CodeLanguage } from "./engine.ts";
import type { Insertion } from "./stackPlace.ts";
import { type SyntaxProblem, scriptProblem, strippingProblem } from "./syntaxProblem.ts";

export type PreparedScript =
	/** `insertions` are the texts added to the caller's code, in order of position. */
	| { readonly ok: true; readonly script: string; readonly insertions: readonly Insertion[] }
	| ({ readonly ok: false } & SyntaxProblem);

const HEAD = "(async () => {";
const TAIL = "\n})";
const RETURN = "return (";

/**
 * Turns a snippet into an expression for an async function: `return` and `await` work at the top level, and the last
 * expression is returned. Lines stay where they were, so that errors name the caller's own lines.
 */
export function prepareScript(language: CodeLanguage, code: string): PreparedScript {
	const text = withoutFence(code);
	if (language === "typescript") return prepareTyped(text);
	const prepared = prepare(text);
	if (prepared.ok) return prepared;
	// Code sent as JavaScript may be TypeScript.
	const typed = prepareTyped(text);
	return typed.ok ? typed : prepared;
}

/** Removes a Markdown fence, which models often send; keeps the line numbers. */
function withoutFence(code: string): string {
	const begin = code.length - code.trimStart().length;
	const text = code.trim();
	const body = text.indexOf("\n");
	if (body === -1 || !FENCE.test(text.slice(0, body)) || !text.endsWith("\n```")) return code;
	return code.slice(0, begin) + text.slice(body, -"```".length);
}

const FENCE = /^```(?:js|jsx|javascript|ts|tsx|typescript)?\s*$/;

/** Replaces types by blanks, so that everything else keeps its place. */
function prepareTyped(text: string): PreparedScript {
	try {
		// Wrapped in a function, because the stripper rejects `return` outside of one.
		return prepare(stripTypeScriptTypes(HEAD + text + TAIL).slice(HEAD.length, -TAIL.length));
	} catch (thrown) {
		return { ok: false, ...strippingProblem(thrown, text, HEAD.length) };
	}
}

/** Parses the bare snippet, not the wrapped one: a `})` in it must not close the wrapper, and places stay the caller's. */
function prepare(text: string): PreparedScript {
	try {
		const { body } = parse(text, {
			ecmaVersion: "latest",
			sourceType: "script",
			locations: true,
			allowReturnOutsideFunction: true,
			allowAwaitOutsideFunction: true,
			allowHashBang: false,
		});
		const head = { line: 1, column: 1, length: HEAD.length };
		const last = body.findLast((node) => !yieldsNothing(node));
		if (last?.type !== "ExpressionStatement") return { ok: true, script: HEAD + text + TAIL, insertions: [head] };
		const expression = text.slice(last.start, last.end).replace(/;$/, "");
		const script = `${HEAD}${text.slice(0, last.start)}${RETURN}${expression});${text.slice(last.end)}${TAIL}`;
		const { line = 1, column = 0 } = last.loc?.start ?? {};
		const at = { line, column: column + 1 + (line === 1 ? HEAD.length : 0), length: RETURN.length };
		return { ok: true, script, insertions: [head, at] };
	} catch (thrown) {
		return { ok: false, ...scriptProblem(thrown, text) };
	}
}

/** Whether a statement is skipped when the last value is looked for, as `eval` does. */
function yieldsNothing(node: Node): boolean {
	return node.type === "EmptyStatement" || node.type === "FunctionDeclaration";
}
