import type { AnyNode, Expression, Node, Program } from "acorn";

/** Calls whose first argument is a function that nobody awaits. */
const DROPPING: ReadonlySet<string> = new Set(["forEach", "setTimeout"]);

/**
 * Finds the expressions of a program whose promise nobody can await: a call that is a whole statement or the value of a
 * variable that is used nowhere, and an async function that is handed to something that ignores what it returns.
 * `returned` is a statement that becomes the value.
 */
export function discarded(program: Program, returned: Node | undefined): Expression[] {
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
