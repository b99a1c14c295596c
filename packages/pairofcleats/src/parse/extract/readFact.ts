import type { FlatTree } from "../tree/flatTree.ts";
import {
	chainOf,
	lastName,
	lastNameBefore,
	placeOf,
	splitTop,
	squeeze,
	textOf,
	unquote,
	withoutArguments,
} from "../tree/nodeText.ts";
import { assigns, beginsWith, type CompiledSpec, ROLE, STANDING } from "./compileSpec.ts";
import { type FactSink, MAX_NAME } from "./factSink.ts";
import { findChild } from "./pick.ts";

/** A statement may import a page of names. */
const MAX_IMPORT = 4_000;
const DEEPEST_IMPORT = 16;

/** Roles whose meaning is a fact about the chunk they stand in. */
const COUNTS = [
	[ROLE.branch, "branches"],
	[ROLE.loop, "loops"],
	[ROLE.break, "breaks"],
	[ROLE.continue, "continues"],
] as const;
const ANY_COUNT = ROLE.branch | ROLE.loop | ROLE.break | ROLE.continue;

const REFERENCE = { none: 0, value: 1, type: 2, named: 4 } as const;

/** Bash writes these as commands. */
const ANY_JUMP = ROLE.return | ROLE.break | ROLE.continue;

/** Adds what one node says to the facts of its chunk. `nested`: inside a function expression of the chunk. */
export function readFact(
	tree: FlatTree,
	compiled: CompiledSpec,
	node: number,
	role: number,
	sink: FactSink,
	nested: boolean,
): void {
	if (role & ROLE.identifier) readIdentifier(tree, compiled, node, sink);
	else if (role & ROLE.typeIdentifier && referenceOf(tree, compiled, node) !== REFERENCE.none)
		sink.add("uses", textOf(tree, node));
	if (role & (ROLE.call | ROLE.construct) && (role & ANY_JUMP) === 0) readCall(tree, compiled, node, role, sink);
	if (role & ROLE.member) sink.add("members", lastNameBefore(tree.text, tree.start[node] ?? 0, tree.end[node] ?? 0));
	if (role & ROLE.assignment) readAssignment(tree, compiled, node, sink);
	if (role & ANY_COUNT) for (const [bit, field] of COUNTS) if (role & bit) sink.count(field);
	if (role & ROLE.throws)
		for (const value of operands(tree, compiled, node)) sink.add("throws", valueName(tree, compiled, value));
	if (role & ROLE.await) {
		sink.add("awaits", valueName(tree, compiled, operand(tree, compiled, node)));
		if (compiled.spec.awaitIsAsync && !nested) sink.suspends = true;
	}
	if (role & ROLE.return && !nested && operand(tree, compiled, node) >= 0) sink.returns = true;
	if (role & ROLE.yield && !nested) sink.yields = true;
	if (role & ROLE.import) readImport(tree, compiled, node, sink);
	if (role & ROLE.delete) {
		for (const target of operands(tree, compiled, node)) sink.add("mutates", place(tree, compiled, target));
	}
}

/** Names in `{ a, b as c }`: what others see. */
export function exportedNames(text: string): string[] {
	return text
		.replace(/[{}]/g, "")
		.split(",")
		.map((part) => part.trim().split(/\s+/).at(-1) ?? "")
		.filter((name) => /^[\w$]+$/.test(name));
}

function readIdentifier(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink): void {
	const reference = referenceOf(tree, compiled, node);
	// A name that a type's own name is qualified by, and the name in a definition, say nothing.
	if (reference === REFERENCE.none || reference & REFERENCE.named) return;
	const above = tree.parent[node] ?? 0;
	const aboveRole = compiled.roles[tree.type[above] ?? 0] ?? 0;
	const name = nameOf(tree, compiled, node);
	if (name.length > MAX_NAME || name === "_") return;
	sink.add("uses", name);
	if (reference === REFERENCE.type) return;
	if (aboveRole & (ROLE.call | ROLE.construct) && isSpan(tree, compiled, above, node)) return;
	if (isTarget(tree, compiled, node) || isTarget(tree, compiled, above)) return;
	sink.add("reads", name);
}

/** What a name is where it stands: nothing to look up, a value, or a type. */
function referenceOf(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	const field = tree.field[node] ?? 0;
	const above = tree.type[tree.parent[node] ?? 0] ?? 0;
	const standing = (compiled.standing.under[above] ?? 0) | (compiled.standing.at[field] ?? 0);
	if (standing === 0) return REFERENCE.value;
	if (standing & STANDING.type) return REFERENCE.type | (standing & STANDING.name ? REFERENCE.named : 0);
	if (standing & STANDING.name) return REFERENCE.none;
	return compiled.nameUnder[above] === field ? REFERENCE.none : REFERENCE.value;
}

/** The left side of an assignment that does not read what it replaces; lists of targets are one level up. */
function isTarget(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const above = tree.parent[node] ?? 0;
	const type = tree.type[node] ?? 0;
	if ((compiled.roles[type] ?? 0) & (ROLE.member | ROLE.index)) return false;
	const rule = compiled.assignments.get(tree.type[above] ?? 0);
	return rule !== undefined && !rule.update && !rule.changes && rule.pickLeft(tree, above) === node;
}

/** An identifier without the mark its language puts before variables. */
export function nameOf(tree: FlatTree, compiled: CompiledSpec, node: number): string {
	return unmarked(compiled, textOf(tree, node));
}

function unmarked(compiled: CompiledSpec, text: string): string {
	return compiled.spec.sigil === undefined ? text : text.replaceAll(compiled.spec.sigil, "");
}

function place(tree: FlatTree, compiled: CompiledSpec, node: number): string {
	return unmarked(compiled, placeOf(textOf(tree, node)));
}

function isSpan(tree: FlatTree, compiled: CompiledSpec, call: number, node: number): boolean {
	return compiled.spans.get(tree.type[call] ?? 0)?.at(-1)?.(tree, call) === node;
}

function readCall(tree: FlatTree, compiled: CompiledSpec, node: number, role: number, sink: FactSink): void {
	const callee = calleeText(tree, compiled, node);
	if (callee === "") return;
	const { spec } = compiled;
	const name = lastName(callee);
	const chain = chainOf(callee);
	// `<button>` is an element of the page, `<Button>` one of the program.
	if (tree.text[tree.start[node] ?? 0] === "<" && /^[a-z]/.test(name)) return;
	if (spec.importCalls?.includes(chain ?? name)) {
		const module = firstString(tree, compiled, node);
		if (module !== "") sink.add("imports", module);
	}
	sink.add("calls", name);
	if (chain !== undefined && chain !== name) sink.add("calls", chain);
	if (role & ROLE.construct) sink.add("uses", name);
	if (spec.throwCalls?.includes(chain ?? name)) sink.add("throws", firstArgumentName(tree, compiled, node));
	if (chain !== name && spec.mutators?.includes(name)) {
		sink.add(
			"mutates",
			placeOf(
				callee
					.slice(0, callee.length - name.length)
					.replace(/[?!]?(?:\.|->|::)\s*$/, "")
					.trim(),
			),
		);
	}
}

/** Source text of what a call node calls; empty when it is not a name. */
export function calleeText(tree: FlatTree, compiled: CompiledSpec, node: number): string {
	let start = -1;
	let end = -1;
	for (const pick of compiled.spans.get(tree.type[node] ?? 0) ?? []) {
		const part = pick(tree, node);
		if (part < 0) continue;
		if (start < 0) start = tree.start[part] ?? 0;
		end = tree.end[part] ?? 0;
	}
	return start < 0 ? "" : unmarked(compiled, tree.text.slice(Math.max(start, end - 400), end));
}

function readAssignment(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink): void {
	const rule = compiled.assignments.get(tree.type[node] ?? 0);
	if (!rule || !assigns(tree, rule, node)) return;
	const left = rule.pickLeft(tree, node);
	if (left < 0) return;
	if (rule.changes) {
		sink.add("mutates", place(tree, compiled, left));
		return;
	}
	const last = rule.pickRight(tree, node);
	// Without a value, the last part of a declaration is the name itself.
	const right = last === left ? -1 : last;
	// A declaration without a value assigns nothing.
	if (rule.declares && right < 0) return;
	writeTarget(tree, compiled, left, sink, rule.declares ?? false);
	if (right < 0 || rule.update) return;
	const value = soleChild(tree, compiled, right);
	const valueRole = compiled.roles[tree.type[value] ?? 0] ?? 0;
	if (valueRole & (ROLE.identifier | ROLE.member)) {
		const to = isPattern(tree, left) ? "" : place(tree, compiled, left);
		const from = chainOf(unmarked(compiled, textOf(tree, value)));
		if (to !== "" && from !== undefined) sink.add("aliases", `${to}=${from}`);
	}
	const type = inferredType(tree, compiled, value, valueRole);
	if (type !== "") sink.add("inferredTypes", type);
}

/** `a` is written, `a.b` and `a[i]` are changed in place, a pattern writes each of its names. */
function writeTarget(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink, declares: boolean): void {
	const role = compiled.roles[tree.type[node] ?? 0] ?? 0;
	if (role & (ROLE.member | ROLE.index)) sink.add("mutates", place(tree, compiled, node));
	else if (role & ROLE.identifier) sink.add("writes", nameOf(tree, compiled, node));
	else if (role & ROLE.call) sink.add("mutates", placeOf(calleeText(tree, compiled, node)));
	else if (!declares && /^\*|^[\w$@]+\s*[.[]/.test(textOf(tree, node)) && !isPattern(tree, node))
		sink.add("mutates", place(tree, compiled, node));
	else {
		const end = Math.min(tree.until[node] ?? 0, node + 200);
		for (let at = node + 1; at < end; ) {
			const inner = compiled.roles[tree.type[at] ?? 0] ?? 0;
			if (inner & (ROLE.member | ROLE.index)) sink.add("mutates", place(tree, compiled, at));
			else if (inner & ROLE.identifier && compiled.grammar.fields[tree.field[at] ?? 0] !== "type")
				sink.add("writes", nameOf(tree, compiled, at));
			at = inner & (ROLE.member | ROLE.index | ROLE.call | ROLE.typeIdentifier) ? (tree.until[at] ?? end) : at + 1;
		}
	}
}

/** `[a, b]`, `Some(x)`: more than one place, or a place inside a shape. */
function isPattern(tree: FlatTree, node: number): boolean {
	return /^[[{]|,|^[\w:]+\s*[({]/.test(textOf(tree, node));
}

function inferredType(tree: FlatTree, compiled: CompiledSpec, value: number, role: number): string {
	const literal = compiled.literals.get(tree.type[value] ?? 0);
	if (literal !== undefined) return literal;
	if (role & ROLE.construct) return lastName(calleeText(tree, compiled, value));
	if (role & ROLE.call && compiled.spec.capitalCallsConstruct) {
		const name = lastName(calleeText(tree, compiled, value));
		return /^\p{Lu}/u.test(name) ? name : "";
	}
	return "";
}

/** Go and Rust wrap single values in lists; parentheses mean nothing here. */
function soleChild(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	let at = node;
	for (let steps = 0; steps < 4; steps += 1) {
		const first = at + 1;
		const wraps = /^(?:expression_list|parenthesized_expression|expression)$/.test(
			compiled.grammar.types[tree.type[at] ?? 0] ?? "",
		);
		if (!wraps || first >= (tree.until[at] ?? 0)) return at;
		const named = findChild(tree, at, (child) => compiled.grammar.named[tree.type[child] ?? 0] ?? false);
		if (named < 0) return at;
		at = named;
	}
	return at;
}

function operand(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	return findChild(tree, node, (child) => {
		const type = tree.type[child] ?? 0;
		if (!compiled.grammar.named[type] || (compiled.roles[type] ?? 0) & ROLE.comment) return false;
		return !/_keyword$|^try_operator$/.test(compiled.grammar.types[type] ?? "");
	});
}

/** All that commas separate: `del a, b`, `throws A, B`; what follows another word is something else. */
function operands(tree: FlatTree, compiled: CompiledSpec, node: number): number[] {
	const first = operand(tree, compiled, node);
	if (first < 0) return [];
	if (compiled.grammar.types[tree.type[first] ?? 0] === "expression_list") return operands(tree, compiled, first);
	const found = [first];
	const end = tree.until[node] ?? 0;
	for (let at = tree.until[first] ?? end; at < end; at = tree.until[at] ?? end) {
		const type = tree.type[at] ?? 0;
		if (compiled.grammar.named[type]) found.push(at);
		else if (compiled.grammar.types[type] !== ",") break;
	}
	return found;
}

/** What is thrown or awaited: the class made, the function called, or the name itself. */
function valueName(tree: FlatTree, compiled: CompiledSpec, value: number): string {
	if (value < 0) return "";
	const role = compiled.roles[tree.type[value] ?? 0] ?? 0;
	const text = role & (ROLE.call | ROLE.construct) ? calleeText(tree, compiled, value) : textOf(tree, value);
	const called = text.length > MAX_IMPORT ? undefined : chainOf(withoutArguments(text));
	return chainOf(text) ?? called ?? lastName(text);
}

function firstArgumentName(tree: FlatTree, compiled: CompiledSpec, call: number): string {
	const list = findChild(tree, call, (child) => compiled.grammar.fields[tree.field[child] ?? 0] === "arguments");
	return list < 0 ? "" : valueName(tree, compiled, operand(tree, compiled, list)).replace(/\.new$/, "");
}

/** `:a, :b` of a call: names given as symbols of the language. */
export function symbolArguments(tree: FlatTree, compiled: CompiledSpec, call: number): string[] {
	const list = findChild(tree, call, (child) => compiled.grammar.fields[tree.field[child] ?? 0] === "arguments");
	const names: string[] = [];
	if (list < 0) return names;
	findChild(tree, list, (child) => {
		if (compiled.grammar.types[tree.type[child] ?? 0] === "simple_symbol") names.push(textOf(tree, child).slice(1));
		return false;
	});
	return names;
}

function firstString(tree: FlatTree, compiled: CompiledSpec, call: number): string {
	const end = Math.min(tree.until[call] ?? 0, call + 12);
	for (let at = call + 1; at < end; at += 1) {
		const type = tree.type[at] ?? 0;
		if ((compiled.grammar.named[type] ?? false) && /string/.test(compiled.grammar.types[type] ?? ""))
			return unquote(textOf(tree, at));
	}
	return "";
}

function readImport(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink): void {
	const rule = compiled.imports
		.get(tree.type[node] ?? 0)
		?.find(({ word }) => word === "" || beginsWith(tree, node, word));
	const named = rule?.pick ? rule.pick(tree, node) : rule ? node : -1;
	if (named < 0) return;
	const text = squeeze(textOf(tree, named), MAX_IMPORT);
	for (const name of importNames(text)) sink.add("imports", name);
}

/** `use a::{b, c}` names `a::b` and `a::c`; `import x as y` names `x`. */
export function importNames(text: string): string[] {
	const bare = text
		.replace(
			/^\s*(?:pub(?:\([^)]*\))?\s+)?(?:global\s+)?(?:import|use|using|from|package|require(?:_once)?|include(?:_once)?|@import|open|alias)\b\s*(?:static\s+|type\s+|function\s+|const\s+|namespace\s+)?/,
			"",
		)
		.replace(/^url(?=\()/, "")
		.replace(/;\s*$/, "");
	if (/^["'`<(]/.test(bare)) return [unquote(bare.replace(/^[(<]|[)>]$/g, ""))];
	return splitBraces(bare)
		.map((name) =>
			name
				.replace(/\s+as\s+.*$|\s*=>.*$/, "")
				.replace(/^\w+\s*=\s*/, "")
				.trim(),
		)
		.filter((name) => name !== "" && name.length <= MAX_NAME);
}

/** `a::{b, c::{d, self}}` → `a::b`, `a::c::d`, `a::c`; without braces, the names between commas. */
function splitBraces(text: string, depth = 0): string[] {
	return splitTop(text).flatMap((part) => {
		const open = part.indexOf("{");
		if (open < 0 || depth > DEEPEST_IMPORT) return [part];
		const before = part.slice(0, open).trim();
		// A list that was cut short is read as far as it goes.
		const inside = part.slice(open + 1).replace(/\}\s*$/, "");
		return splitBraces(inside, depth + 1).map((name) =>
			name.trim() === "self" ? before.replace(/[:.\\]+$/, "") : `${before}${name.trim()}`,
		);
	});
}
