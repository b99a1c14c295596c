import type { AnyNode, Expression, Identifier, Program, VariableDeclaration } from "acorn";

/** `short`: shorthand for a member and its value, as in `{ name }`. */
type Use = { readonly node: Identifier; readonly role: "declared" | "read" | "short" };

/** A statement that declares one name, at the top of the script or of a function's body. */
export type Declaration = {
	readonly name: string;
	readonly statement: VariableDeclaration;
	readonly init: Expression;
	readonly scope: AnyNode;
};

export type ScriptNames = {
	readonly declarations: readonly Declaration[];
	/** Every mention of the name within the node. */
	usesOf(name: string, within: AnyNode): Use[];
};

/** Collects declarations and uses of names in a script. An assignment counts as another declaration. */
export function scriptNames(script: Program): ScriptNames {
	const uses = new Map<string, Use[]>();
	const declarations: Declaration[] = [];
	const note = (node: Identifier, role: Use["role"]): void => {
		const known = uses.get(node.name);
		if (known === undefined) uses.set(node.name, [{ node, role }]);
		else known.push({ node, role });
	};
	const declare = (pattern: AnyNode): void => {
		if (pattern.type === "Identifier") note(pattern, "declared");
		else for (const child of childrenOf(pattern)) declare(child);
	};
	const visit = (node: AnyNode, scope: AnyNode): void => {
		const declared = declaredBy(node);
		const label = labelOf(node);
		for (const pattern of declared) declare(pattern);
		if (node.type === "VariableDeclaration" && bodyOf(scope).includes(node)) {
			const [only, ...others] = node.declarations;
			if (only?.id.type === "Identifier" && only.init && others.length === 0)
				declarations.push({ name: only.id.name, statement: node, init: only.init, scope });
		}
		for (const child of childrenOf(node)) {
			if (child === label || declared.includes(child)) continue;
			if (child.type === "Identifier") note(child, node.type === "Property" && node.shorthand ? "short" : "read");
			else visit(child, isFunction(node) ? node : scope);
		}
	};
	visit(script, script);
	return {
		declarations,
		usesOf: (name, { start, end }) =>
			(uses.get(name) ?? []).filter(({ node }) => node.start >= start && node.end <= end),
	};
}

export function childrenOf(node: AnyNode): AnyNode[] {
	const children: AnyNode[] = [];
	for (const value of Object.values(node)) {
		if (Array.isArray(value)) for (const item of value) isNode(item) && children.push(item);
		else if (isNode(value)) children.push(value);
	}
	return children;
}

function declaredBy(node: AnyNode): AnyNode[] {
	switch (node.type) {
		case "VariableDeclarator":
			return [node.id];
		case "AssignmentExpression":
			return [node.left];
		case "CatchClause":
			return node.param ? [node.param] : [];
		case "ClassDeclaration":
		case "ClassExpression":
			return node.id ? [node.id] : [];
		case "FunctionDeclaration":
		case "FunctionExpression":
		case "ArrowFunctionExpression":
			return node.id ? [node.id, ...node.params] : node.params;
		default:
			return [];
	}
}

/** The child that is a member's name or a label, not a variable. */
function labelOf(node: AnyNode): AnyNode | null | undefined {
	switch (node.type) {
		case "MemberExpression":
			return node.computed ? undefined : node.property;
		case "Property":
		case "MethodDefinition":
		case "PropertyDefinition":
			return node.computed ? undefined : node.key;
		case "LabeledStatement":
		case "BreakStatement":
		case "ContinueStatement":
			return node.label;
		default:
			return undefined;
	}
}

function bodyOf(scope: AnyNode): readonly AnyNode[] {
	if (scope.type === "Program") return scope.body;
	return isFunction(scope) && scope.body.type === "BlockStatement" ? scope.body.body : [];
}

function isFunction(
	node: AnyNode,
): node is Extract<AnyNode, { type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" }> {
	return /Function/.test(node.type);
}

function isNode(value: unknown): value is AnyNode {
	return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
