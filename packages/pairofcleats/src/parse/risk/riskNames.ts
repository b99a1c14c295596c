import { readNodeName } from "../extract/facts/names.ts";
import { type CompiledSpec, readRoles } from "../extract/spec/compileSpec.ts";
import { ROLE } from "../extract/spec/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { describePlace, findLastName, normaliseChain, readNodeText } from "../tree/nodeText.ts";

/** No name that is followed is longer. */
const LONGEST_NAME = 200;

/** What a node reads: the name that may be tainted, and the chain that a source may be known by, if it can be one. */
type ReadName = { readonly name: string; readonly chain: string };

export function readName(tree: FlatTree, compiled: CompiledSpec, node: number, role: number): ReadName | undefined {
	const text = readNodeText(tree, node);
	if (text.length > LONGEST_NAME) return undefined;
	const isIndex = (role & ROLE.index) !== 0;
	const name =
		isIndex || text.startsWith("(") ? describePlace(text) : (normaliseChain(readNodeName(tree, compiled, node)) ?? "");
	return { name, chain: isMemberName(tree, compiled, node) ? "" : isIndex ? byStringIndex(text) : name };
}

/** In `x.params`, `params` is a member, not the variable of that name. */
function isMemberName(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const above = tree.parent[node] ?? 0;
	const role = readRoles(tree, compiled, above);
	return (role & ROLE.member) !== 0 && tree.until[node] === tree.until[above] && node !== above;
}

/** `req["body"]` is `req.body`. */
function byStringIndex(text: string): string {
	return normaliseChain(text.replace(/\??\.?\[\s*(["'])([\w$]+)\1\s*\]/g, ".$2")) ?? describePlace(text);
}

/** The name by which the rules know what is called; `require("fs").readFile` is `fs.readFile`. */
export function nameCallee(callee: string): string {
	const required = /^require\(["'](?:node:)?(\w+)(?:\/promises)?["']\)((?:\.\w+)+)$/.exec(callee);
	return required ? `${required[1]}${required[2]}` : (normaliseChain(callee) ?? dropReceiver(callee));
}

/** A call on an unnamed value, such as `a().b()`, matches any receiver. */
export function dropReceiver(callee: string): string {
	const name = findLastName(callee);
	return name === "" ? "" : `?.${name}`;
}

/** Most levels between a parameter list and a decorator in it. */
const DEEPEST_DECORATOR = 4;
const NOT_THE_NAME: ReadonlySet<string> = new Set(["type", "value", "default_value"]);

/**
 * The names introduced by a decorated parameter: `query` of `@RequestParam("q") String query`; empty for other
 * decorators, and where the framework lets nothing but a number or the like through: `@PathVariable Long id`.
 */
export function listDecoratedNames(tree: FlatTree, compiled: CompiledSpec, decorator: number): number[] {
	const { types, fields } = compiled.grammar;
	const list = parameterList(tree, compiled, decorator);
	const end = tree.until[list] ?? 0;
	const names: number[] = [];
	let from = decorator;
	let node = tree.until[decorator] ?? end;
	while (list >= 0 && node < end) {
		const type = tree.type[node] ?? 0;
		const role = compiled.roles[type] ?? 0;
		const ends = types[type] === "=" || (types[type] === "," && tree.parent[node] === list);
		if (ends) break;
		const skips = role & ROLE.decorator || NOT_THE_NAME.has(fields[tree.field[node] ?? 0] ?? "");
		if (role & ROLE.identifier && !skips) names.push(node);
		if (role & ROLE.decorator) from = node;
		node = skips ? (tree.until[node] ?? end) : node + 1;
	}
	const [name = -1] = names;
	const written = [
		tree.text.slice(tree.end[from], tree.start[name]),
		tree.text.slice(tree.end[name], node < end ? tree.start[node] : (tree.end[list] ?? 0) - 1),
	];
	return name >= 0 && !compiled.spec.erasesTypes && written.some(isPlainType) ? [] : names;
}

function parameterList(tree: FlatTree, compiled: CompiledSpec, decorator: number): number {
	let at = tree.parent[decorator] ?? -1;
	for (let steps = 0; at > 0 && steps < DEEPEST_DECORATOR; steps += 1) {
		const isList = (readRoles(tree, compiled, at) & ROLE.parameters) !== 0;
		if (isList || compiled.grammar.fields[tree.field[at] ?? 0] === "parameters") return at;
		at = tree.parent[at] ?? -1;
	}
	return -1;
}

/** Whether a node makes a number or the like of a value: PHP's `(int) $id`. */
export function isPlainCast(tree: FlatTree, { spec, grammar }: CompiledSpec, node: number): boolean {
	if (spec.cast === undefined || grammar.types[tree.type[node] ?? 0] !== spec.cast) return false;
	return isPlainType(/^\(([^)]*)\)/.exec(readNodeText(tree, node))?.[1] ?? "");
}

/** The type at the end of what is written, or in its brackets: `final Long`, `int?`, `List<UUID>`, `java.time.LocalDate`. */
const PLAIN =
	/(?:^|(?<!,)[\s<[.])(?:u?int(?:eger|\d+)?|u?long|u?short|s?byte|float|double|decimal|bool(?:ean)?|big(?:integer|decimal)|uuid|guid|date(?:time(?:offset)?|only)?|timeonly|local(?:date|time|datetime)|instant)[>\][?]*$/i;

/** Whether values of a type are numbers, truth values, dates or the like, which cannot carry code. */
function isPlainType(written: string): boolean {
	return PLAIN.test(written.trim());
}
