import { stripTypeScriptTypes } from "node:module";
import { type AnyNode, type Expression, type Node, type Program, parse } from "acorn";
import type { CodeLanguage } from "../engine.ts";
import { type Addition, type Insertion, insertAdditions } from "./insertions.ts";
import { describeScriptProblem, describeStrippingProblem, type SyntaxProblem, TOO_DEEP } from "./syntaxProblem.ts";

export type PreparedScript =
	/** `insertions` are the texts added to the caller's code, in order of position. */
	| { readonly ok: true; readonly script: string; readonly insertions: readonly Insertion[] }
	/** `hasTrapped`: the type stripper of this thread failed by itself, and every later use of it would fail too. */
	| ({ readonly ok: false; readonly hasTrapped?: true } & SyntaxProblem);

const HEAD = "(async () => {";
const TAIL = "\n})";
const RETURN = "return (";

/**
 * Turns a snippet into an expression for an async function: `return` and `await` work at the top level, and the last
 * expression is returned. A promise that nobody can await is given to the function's argument, which watches it. Lines
 * stay where they were, so that errors name the caller's own lines.
 */
export function prepareScript(language: CodeLanguage, code: string): PreparedScript {
	const text = withoutFence(code);
	if (language === "typescript") return prepareTyped(text);
	const prepared = prepare(text);
	if (prepared.ok) return prepared;
	// Code sent as JavaScript may be TypeScript.
	const typed = prepareTyped(text);
	if (typed.ok) return typed;
	return typed.hasTrapped === true ? { ...prepared, hasTrapped: true } : prepared;
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
	let stripped: string;
	try {
		// Wrapped in a function, because the stripper rejects `return` outside of one.
		stripped = stripTypeScriptTypes(HEAD + text + TAIL);
	} catch (thrown) {
		// Types nested too deeply overrun the stripper's memory; what it says then is not about the code.
		if (!(thrown instanceof SyntaxError)) return { ok: false, hasTrapped: true, message: TOO_DEEP };
		return { ok: false, ...describeStrippingProblem(thrown, text, HEAD.length) };
	}
	return prepare(stripped.slice(HEAD.length, -TAIL.length));
}

/** Parses the bare snippet, not the wrapped one: a `})` in it must not close the wrapper, and places stay the caller's. */
function prepare(text: string): PreparedScript {
	try {
		const program = parse(text, {
			ecmaVersion: "latest",
			sourceType: "script",
			locations: true,
			allowReturnOutsideFunction: true,
			allowAwaitOutsideFunction: true,
			allowHashBang: false,
		});
		const last = program.body.findLast((node) => !yieldsNothing(node));
		const returned = last?.type === "ExpressionStatement" ? last : undefined;
		const dropped = findDiscarded(program, returned);
		const watch = unusedName(text);
		const { script, insertions } = insertAdditions(text, [
			{ at: 0, line: 1, column: 0, text: dropped.length === 0 ? HEAD : `(async (${watch}) => {` },
			...(returned === undefined ? [] : around(returned, RETURN, ");", text)),
			...dropped.flatMap((expression) => around(expression, `${watch}(`, ")", text)),
		]);
		return { ok: true, script: script + TAIL, insertions };
	} catch (thrown) {
		return { ok: false, ...describeScriptProblem(thrown, text) };
	}
}

/** Two additions around a node; a semicolon that ends it stays behind them. */
function around({ start, end, loc }: Node, before: string, after: string, code: string): Addition[] {
	const length = code[end - 1] === ";" ? 1 : 0;
	const { line = 1, column = 0 } = loc?.start ?? {};
	const last = { line: loc?.end.line ?? 1, column: (loc?.end.column ?? 0) - length };
	return [
		{ at: start, line, column, text: before },
		{ at: end - length, ...last, text: length === 0 ? after : after.replace(/;$/, "") },
	];
}

/** A name for the function that watches discarded promises, which the code does not use itself. */
function unusedName(code: string): string {
	let name = "watched";
	while (code.includes(name)) name += "_";
	return name;
}

/** Whether a statement is skipped when the last value is looked for, as `eval` does. */
function yieldsNothing(node: Node): boolean {
	return node.type === "EmptyStatement" || node.type === "FunctionDeclaration";
}

/** Calls whose first argument is a function that nobody awaits. */
const DROPPING: ReadonlySet<string> = new Set(["forEach", "setTimeout"]);

/**
 * Finds the expressions of a program whose promise nobody can await: a call that is a whole statement or the value of a
 * variable that is used nowhere, and an async function that is handed to something that ignores what it returns.
 * `returned` is a statement that becomes the value.
 */
function findDiscarded(program: Program, returned: Node | undefined): Expression[] {
	const found: Expression[] = [];
	const named = new Map<string, Expression[]>();
	const uses = new Map<string, number>();
	// A list instead of recursion: code may nest deeper than this thread's stack.
	const left: AnyNode[] = [program];
	for (let node = left.pop(); node !== undefined; node = left.pop()) {
		if (node.type === "ExpressionStatement" && node !== returned) found.push(...callIn(node.expression));
		if (node.type === "CallExpression") found.push(...droppedFunction(node.callee, node.arguments[0]));
		if (node.type === "Identifier") uses.set(node.name, (uses.get(node.name) ?? 0) + 1);
		if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.init)
			named.set(node.id.name, callIn(node.init));
		for (const part of Object.values(node).flat()) if (isNode(part)) left.push(part);
	}
	for (const [name, calls] of named) if (uses.get(name) === 1) found.push(...calls);
	return found;
}

function callIn(expression: Expression): Expression[] {
	switch (expression.type) {
		case "CallExpression":
		case "NewExpression":
		case "ChainExpression":
			return [expression];
		case "UnaryExpression":
			return expression.operator === "void" ? callIn(expression.argument) : [];
		default:
			return [];
	}
}

function droppedFunction(callee: AnyNode, given: AnyNode | undefined): Expression[] {
	const named = callee.type === "MemberExpression" ? callee.property : callee;
	if (named.type !== "Identifier" || !DROPPING.has(named.name)) return [];
	const isFunction = given?.type === "ArrowFunctionExpression" || given?.type === "FunctionExpression";
	return isFunction && given.async ? [given] : [];
}

function isNode(value: unknown): value is AnyNode {
	return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
