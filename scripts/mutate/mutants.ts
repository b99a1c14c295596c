import { stripTypeScriptTypes } from "node:module";
import { type Node, parse } from "acorn";

/** One change to a source: the text between two offsets is replaced. */
export type Mutant = {
	readonly start: number;
	readonly end: number;
	readonly replacement: string;
	readonly line: number;
	readonly label: string;
};

const SWAPPED: Readonly<Record<string, string>> = {
	"===": "!==",
	"!==": "===",
	"==": "!=",
	"!=": "==",
	"<": "<=",
	"<=": "<",
	">": ">=",
	">=": ">",
	"&&": "||",
	"||": "&&",
	"??": "&&",
	"+": "-",
	"-": "+",
	"*": "/",
	"/": "*",
};
const SWAPPED_METHODS: Readonly<Record<string, string>> = {
	some: "every",
	every: "some",
	startsWith: "endsWith",
	endsWith: "startsWith",
	push: "unshift",
	shift: "pop",
	min: "max",
	max: "min",
};

type Any = Node & Record<string, unknown>;

/** Every single change of one kind or another that still parses, in the order of the source. */
export function listMutants(source: string): Mutant[] {
	// Types become blanks, so that offsets are those of the source.
	const text = stripTypeScriptTypes(source, { mode: "strip" });
	const found: Mutant[] = [];
	const add = (start: number, end: number, replacement: string): void => {
		const was = text.slice(start, end).replaceAll(/\s+/g, " ");
		const line = text.slice(0, start).split("\n").length;
		const shown = was.length > 50 ? `${was.slice(0, 47)}…` : was;
		found.push({
			start,
			end,
			replacement,
			line,
			label: `${shown} → ${replacement === "" ? "(nothing)" : replacement}`,
		});
	};
	const visit = (node: Any): void => {
		mutateNode(node, text, add);
		for (const [key, value] of Object.entries(node)) {
			if (key === "type") continue;
			for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
		}
	};
	visit(parse(text, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true }) as unknown as Any);
	return found.sort((a, b) => a.start - b.start);
}

function mutateNode(node: Any, text: string, add: (start: number, end: number, replacement: string) => void): void {
	const part = (name: string): Any => node[name] as Any;
	switch (node.type) {
		case "BinaryExpression":
		case "LogicalExpression": {
			const swapped = SWAPPED[String(node.operator)];
			const [left, right] = [part("left"), part("right")];
			// Text is joined by + as well; a minus there is no likely mistake.
			if (swapped === undefined || (node.operator === "+" && (isText(left) || isText(right)))) return;
			const at = text.indexOf(String(node.operator), left.end);
			add(at, at + String(node.operator).length, swapped);
			return;
		}
		case "UnaryExpression":
			if (node.operator === "!") add(node.start, node.start + 1, "");
			return;
		case "Literal":
			if (typeof node.value === "boolean") add(node.start, node.end, String(!node.value));
			if (typeof node.value === "number") add(node.start, node.end, String(node.value + 1));
			return;
		case "IfStatement":
		case "ConditionalExpression":
			add(part("test").start, part("test").end, "true");
			add(part("test").start, part("test").end, "false");
			return;
		case "ExpressionStatement":
			if (["CallExpression", "AssignmentExpression", "AwaitExpression"].includes(part("expression").type))
				add(node.start, node.end, ";");
			return;
		case "ReturnStatement":
			if (node.argument !== null) add(node.start, node.end, "return;");
			return;
		case "MemberExpression": {
			const property = part("property");
			const swapped = SWAPPED_METHODS[String(property.name)];
			if (swapped !== undefined && node.computed === false) add(property.start, property.end, swapped);
			return;
		}
	}
}

function isText(node: Any): boolean {
	return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");
}

function isNode(value: unknown): value is Any {
	return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
