import type { ChunkFacts, DraftFacts } from "../chunk.ts";
import type { Visibility } from "../specs/spec.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { own, splitTop, squeeze, textOf } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { nameOf } from "./names.ts";
import { findChild } from "./pick.ts";
import type { Found } from "./recogniseDefinition.ts";
import { ROLE } from "./roles.ts";
import type { Wrapping } from "./wrapping.ts";

const MAX_SIGNATURE = 400;
const MAX_PARAMETERS = 64;
const LONGEST_MODIFIER = 24;

export type Header = {
	readonly facts: ChunkFacts;
	readonly visibility: Visibility | undefined;
	readonly exported: boolean;
	/** Where the declaration itself begins, after decorators. */
	readonly start: number;
};

/** What the head of a definition says: signature, parameters, modifiers, decorators, ancestors. */
export function describeDefinition(
	tree: FlatTree,
	compiled: CompiledSpec,
	found: Found,
	context: {
		readonly wrapping: Wrapping;
		readonly section: Visibility | undefined;
		readonly decorators: readonly string[];
	},
): Header {
	const { spec } = compiled;
	const { around, from, group } = context.wrapping;
	const body = compiled.pickBody(tree, found.callable);
	const head: Head = {
		modifiers: new Set(),
		decorators: [...context.decorators],
		extends: [],
		implements: [],
		// Of a group, only what stands on the same line as its head begins with it.
		start: group && (from === found.node || beginsLater(tree, from, found.node)) ? (tree.start[found.node] ?? 0) : -1,
	};
	for (const node of new Set([around, ...wrappersBetween(tree, around, found.node), found.node, found.callable])) {
		readHead(tree, compiled, node, body, head);
	}
	if (head.start < 0) head.start = tree.start[found.node] ?? 0;
	const visibility = visibilityOf(compiled, found, head.modifiers, context.section);
	const exported = isExported(compiled, tree, around, found, visibility);
	const end = headEnd(tree, compiled, found, body);
	const result = found.rule?.pickResult?.(tree, found.callable) ?? -1;
	const parameters = parametersNode(tree, compiled, found);
	const source = found.rule?.element ? textOf(tree, found.nameNode) : tree.text.slice(head.start, end);
	const facts: DraftFacts = {
		signature: squeeze(source.replace(/[\s={:]+$/, ""), MAX_SIGNATURE),
	};
	if (spec.decorators) facts.decorators = head.decorators;
	if (spec.extends !== undefined) facts.extends = head.extends;
	if (spec.implements !== undefined) facts.implements = head.implements;
	if (parameters >= 0) facts.params = parameterNames(tree, compiled, parameters);
	if (result >= 0) facts.returnType = resultText(tree, compiled, found, result);
	if (visibility) facts.visibility = visibility;
	if (spec.exported) facts.exported = exported;
	if (head.modifiers.has(spec.asyncWord ?? "async")) facts.async = true;
	if (head.modifiers.has("*")) facts.generator = true;
	if (bodyIsValue(tree, compiled, found, body)) facts.returns = true;
	return { facts, visibility, exported, start: head.start };
}

/** As written; C puts the marks of a pointer before the name. */
function resultText(tree: FlatTree, compiled: CompiledSpec, found: Found, result: number): string {
	const text = squeeze(textOf(tree, result).replace(/^\s*(?::|->)\s*/, ""), 160);
	if (!found.rule?.descends) return text;
	let marks = "";
	for (let at = tree.parent[found.nameNode] ?? 0; at > found.node; at = tree.parent[at] ?? 0) {
		const type = compiled.grammar.types[tree.type[at] ?? 0];
		if (type === "pointer_declarator" || type === "reference_declarator") marks = `${textOf(tree, at + 1)}${marks}`;
	}
	return marks !== "" && /\s/.test(tree.text[tree.end[result] ?? 0] ?? "") ? `${text} ${marks}` : text + marks;
}

/** `x => x + 1` returns what its body is. */
function bodyIsValue(tree: FlatTree, compiled: CompiledSpec, found: Found, body: number): boolean {
	const types = compiled.grammar.types;
	const statements = own(compiled.spec.valueBodies, types[tree.type[found.callable] ?? 0] ?? "");
	return statements !== undefined && body >= 0 && !statements.includes(types[tree.type[body] ?? 0] ?? "");
}

function beginsLater(tree: FlatTree, outer: number, node: number): boolean {
	return tree.text.slice(tree.start[outer], tree.start[node]).includes("\n");
}

/** Where the body begins, or a remark between the head and the body. */
function headEnd(tree: FlatTree, compiled: CompiledSpec, found: Found, body: number): number {
	const end = body >= 0 ? (tree.start[body] ?? 0) : (tree.end[found.node] ?? 0);
	const remark = findChild(
		tree,
		found.callable,
		(child) =>
			child > found.nameNode &&
			(body < 0 || child < body) &&
			((compiled.roles[tree.type[child] ?? 0] ?? 0) & ROLE.comment) !== 0,
	);
	return remark < 0 ? end : Math.min(end, tree.start[remark] ?? end);
}

type Head = { modifiers: Set<string>; decorators: string[]; extends: string[]; implements: string[]; start: number };

function wrappersBetween(tree: FlatTree, outer: number, node: number): number[] {
	const between: number[] = [];
	for (let at = tree.parent[node] ?? -1; at > outer && at >= 0; at = tree.parent[at] ?? -1) between.unshift(at);
	return between;
}

/** Reads the direct children up to the body; nodes that group modifiers are opened. */
function readHead(tree: FlatTree, compiled: CompiledSpec, node: number, body: number, head: Head): void {
	const end = tree.until[node] ?? 0;
	for (let child = node + 1; child < end && child !== body; child = tree.until[child] ?? end) {
		const role = compiled.roles[tree.type[child] ?? 0] ?? 0;
		if (role & ROLE.modifiers) {
			readHead(tree, compiled, child, body, head);
			continue;
		}
		if (role & ROLE.decorator) {
			addDecorator(head.decorators, textOf(tree, child));
			if (compiled.spec.hiddenDecorators) readHidden(tree, child, head.decorators);
			continue;
		}
		if (role & ROLE.comment) continue;
		if (head.start < 0) head.start = tree.start[child] ?? -1;
		if (role & ROLE.extends) head.extends.push(...ancestors(textOf(tree, child)));
		const field = compiled.grammar.fields[tree.field[child] ?? 0];
		const named = field !== null && field !== undefined && field === compiled.spec.implementsField;
		if (named || role & ROLE.implements) head.implements.push(...ancestors(textOf(tree, child)));
		if ((tree.end[child] ?? 0) - (tree.start[child] ?? 0) > LONGEST_MODIFIER) continue;
		// `private def …`: a call whose name says what a modifier says elsewhere.
		const calls = field === "method" && role & ROLE.identifier;
		if (calls || (role & ROLE.identifier) === 0) head.modifiers.add(textOf(tree, child));
	}
}

/** Those behind a decorator that the grammar did not see. */
function readHidden(tree: FlatTree, decorator: number, decorators: string[]): void {
	const gap = tree.text.slice(tree.end[decorator], tree.start[tree.until[decorator] ?? 0]).trim();
	if (gap.startsWith("@")) for (const text of gap.split(/\s+(?=@\w)/)) addDecorator(decorators, text);
}

/** `@app.route("/")` → `app.route("/")`, `#[derive(Debug)]` → `derive(Debug)`. */
export function addDecorator(list: string[], text: string): void {
	const name = squeeze(
		text.replace(/^\s*(?:@|#!?\[|\[\[?)/, "").replace(/^\w[^\]]*\]+$/, (all) => all.replace(/\]+$/, "")),
		100,
	);
	if (name !== "" && !list.includes(name)) list.push(name);
}

/** `extends A<B>, C(d)` → A, C: names without keywords, access, type or value arguments. */
export function ancestors(text: string): string[] {
	return splitTop(
		squeeze(text, 600)
			.replace(/^\s*(?:extends|implements|with|from|:|<|\()\s*/, "")
			.replace(/\)$/, ""),
	)
		.flatMap((part) => part.split(/\s+with\s+|\s+\+\s+|\s&\s/))
		.map((part) =>
			part
				.replace(/^(?:(?:public|private|protected|virtual|implements|extends|for|by)\s+)+/, "")
				.replace(/\s+by\s.*$|[<({[].*$/s, "")
				.trim(),
		)
		.filter((name) => name !== "" && !/^'|=/.test(name));
}

function visibilityOf(
	compiled: CompiledSpec,
	found: Found,
	modifiers: ReadonlySet<string>,
	section: Visibility | undefined,
): Visibility | undefined {
	const rule = compiled.spec.visibility;
	if (!rule) return undefined;
	if (found.name.startsWith("#")) return "private";
	if (rule.keywords) {
		for (const word of modifiers) {
			// `pub(in some::path)` is looked up as `pub()`, `private[this]` as `private[]`.
			const visibility = own(rule.keywords, word) ?? own(rule.keywords, word.replace(/([([]).*([)\]])$/, "$1$2"));
			if (visibility) return visibility;
		}
	}
	if (rule.byName === "capital") return /^\p{Lu}/u.test(found.name) ? "public" : rule.unmarked;
	if (rule.byName === "underscore") {
		if (/^__.*[^_]_?$/.test(found.name)) return "private";
		if (found.name.startsWith("_") && !found.name.startsWith("__")) return "protected";
	}
	return section ?? rule.unmarked;
}

function isExported(
	compiled: CompiledSpec,
	tree: FlatTree,
	wrapper: number,
	found: Found,
	visibility: Visibility | undefined,
): boolean {
	const rule = compiled.spec.exported;
	if (rule === undefined) return false;
	if (rule === "public") return visibility === "public";
	for (let at = found.node; at >= wrapper && at >= 0; at = tree.parent[at] ?? -1) {
		if (compiled.grammar.types[tree.type[at] ?? 0] === rule.wrapper) return true;
	}
	return /^(?:module\.)?exports\b/.test(textOf(tree, found.nameNode));
}

/** On the definition, on its value, or on the declarator around the name. */
function parametersNode(tree: FlatTree, compiled: CompiledSpec, found: Found): number {
	const direct = compiled.pickParameters(tree, found.callable);
	if (direct >= 0) return direct;
	const single = findChild(
		tree,
		found.callable,
		(child) => compiled.grammar.fields[tree.field[child] ?? 0] === "parameter",
	);
	if (single >= 0) return single;
	const declarator = findChild(
		tree,
		found.callable,
		(child) => compiled.grammar.fields[tree.field[child] ?? 0] === "declarator",
	);
	if (declarator >= 0 && found.callable !== found.node) return compiled.pickParameters(tree, declarator);
	for (let at = tree.parent[found.nameNode] ?? -1; at > found.node; at = tree.parent[at] ?? -1) {
		const around = compiled.pickParameters(tree, at);
		if (around >= 0) return around;
	}
	return -1;
}

/** Identifiers of the list that are neither types nor default values. */
function parameterNames(tree: FlatTree, compiled: CompiledSpec, list: number): string[] {
	const names: string[] = [];
	const end = lastOfType(tree, list);
	let isDefault = false;
	for (let at = list; at < end && names.length < MAX_PARAMETERS; ) {
		const role = compiled.roles[tree.type[at] ?? 0] ?? 0;
		const field = compiled.grammar.fields[tree.field[at] ?? 0];
		const isName = tree.field[at] !== 0 && compiled.nameUnder[tree.type[tree.parent[at] ?? 0] ?? 0] === tree.field[at];
		const skipped = at > list && !isName && (isDefault || NOT_A_NAME.has(field ?? ""));
		isDefault = compiled.grammar.types[tree.type[at] ?? 0] === "=";
		if (skipped || role & (ROLE.decorator | ROLE.modifiers | ROLE.comment)) {
			at = tree.until[at] ?? end;
			continue;
		}
		if (role & ROLE.identifier) {
			const name = nameOf(tree, compiled, at);
			if (name !== "_" && !names.includes(name)) names.push(name);
		}
		at += 1;
	}
	return names;
}

/** Swift has no list: its parameters stand side by side, default values between them. */
function lastOfType(tree: FlatTree, first: number): number {
	let end = tree.until[first] ?? 0;
	const limit = tree.until[tree.parent[first] ?? 0] ?? end;
	for (let at = end; at < limit; at = tree.until[at] ?? limit)
		if (tree.type[at] === tree.type[first] && tree.field[at] === tree.field[first]) end = tree.until[at] ?? end;
	return end;
}

const NOT_A_NAME: ReadonlySet<string> = new Set([
	"type",
	"value",
	"default_value",
	"return_type",
	"external_name",
	"size",
	"decorator",
	"default",
	"right",
]);
