import { readNodeName } from "../extract/facts/names.ts";
import { type CompiledSpec, readRoles, readTypeName } from "../extract/spec/compileSpec.ts";
import { findChild } from "../extract/spec/pick.ts";
import { ROLE } from "../extract/spec/roles.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { readNodeText, stripQuotes } from "../tree/nodeText.ts";

/** The source of a value, and the node that first gave it to the variable. */
type Taint = { readonly source: string; readonly since: number };

/** The variables and places whose values come from a source, at the node that is being read. */
export class TaintedNames {
	readonly #taints = new Map<string, Taint>();
	/** What was overwritten in code that may be skipped, and the node at which the taint returns; the innermost last. */
	readonly #hidden: { readonly name: string; readonly taint: Taint; readonly until: number }[] = [];
	/** The names that have a meaning of their own up to a node, and what they meant before. */
	readonly #lent: { readonly name: string; readonly before: Taint | undefined; readonly until: number }[] = [];

	sourceOf(name: string): string | undefined {
		return this.#taints.get(name)?.source;
	}

	add(name: string, source: string, node: number): void {
		this.#taints.set(name, { source, since: this.#taints.get(name)?.since ?? node });
	}

	/** For the parameters of a function, which end with it. */
	lend(name: string, source: string, node: number, until: number): void {
		this.#lent.push({ name, before: this.#taints.get(name), until });
		this.add(name, source, node);
	}

	/** After `if (!id) id = "1"`, whose arm may be skipped, the value may still be the one from before. */
	clear(name: string, arm: () => { readonly from: number; readonly to: number } | undefined): void {
		const taint = this.#taints.get(name);
		if (taint === undefined) return;
		this.#taints.delete(name);
		const skipped = arm();
		if (skipped !== undefined && (taint.since < skipped.from || taint.since >= skipped.to))
			this.#hidden.push({ name, taint, until: skipped.to });
	}

	/** Ends what holds only up to a node. */
	reach(node: number): void {
		for (let last = this.#lent.at(-1); last !== undefined && last.until <= node; last = this.#lent.at(-1)) {
			this.#lent.pop();
			if (last.before === undefined) this.#taints.delete(last.name);
			else this.#taints.set(last.name, last.before);
		}
		for (let last = this.#hidden.at(-1); last !== undefined && last.until <= node; last = this.#hidden.at(-1)) {
			this.#hidden.pop();
			if (!this.#taints.has(last.name)) this.#taints.set(last.name, last.taint);
		}
	}
}

/** What a destructuring reads, and the node it goes to. */
type Unpacked = { readonly chain: string; readonly target: number };

/** No rule's pattern is longer. */
const LONGEST_CHAIN = 160;

/** `const { body: { name } } = req` reads `req.body` and `req.body.name`; nothing if `left` is no such pattern. */
export function* listUnpacked(tree: FlatTree, compiled: CompiledSpec, left: number, from: string): Generator<Unpacked> {
	if (tree.text[tree.start[left] ?? 0] !== "{") return;
	const end = tree.until[left] ?? 0;
	for (let member = left + 1; member < end; member = tree.until[member] ?? end) {
		const target = assigned(tree, compiled, fieldOf(tree, compiled, member, "value"));
		const chain = `${from}.${keyOf(tree, compiled, member)}`;
		if (!/^[\w$.]+$/.test(chain) || chain.length > LONGEST_CHAIN) continue;
		yield { chain, target };
		yield* listUnpacked(tree, compiled, target, chain);
	}
}

/** Whether a node is the default of a destructuring, which is read and not assigned: `other` in `{ name = other }`. */
function isDefault(tree: FlatTree, compiled: CompiledSpec, node: number): boolean {
	const above = tree.type[tree.parent[node] ?? 0] ?? 0;
	const isRight = compiled.grammar.fields[tree.field[node] ?? 0] === "right";
	return isRight && (compiled.grammar.types[above] ?? "").endsWith("assignment_pattern");
}

function keyOf(tree: FlatTree, compiled: CompiledSpec, member: number): string {
	const key = fieldOf(tree, compiled, member, "key");
	return stripQuotes(readNodeText(tree, assigned(tree, compiled, key)));
}

/** The pattern before a default. */
function assigned(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	const type = readTypeName(tree, compiled, node);
	return type.endsWith("assignment_pattern") ? fieldOf(tree, compiled, node, "left") : node;
}

/** The node itself if it has no such field: in `{ body }` key and value are one. */
function fieldOf(tree: FlatTree, compiled: CompiledSpec, node: number, name: string): number {
	const child = findChild(tree, node, (one) => compiled.grammar.fields[tree.field[one] ?? 0] === name);
	return child < 0 ? node : child;
}

/** More nodes of a target are not read. */
const LARGEST_TARGET = 100;

/** The names that an assignment to `left` gives a value: its place, and each variable of a pattern. */
export function listTargetNames(tree: FlatTree, compiled: CompiledSpec, left: number, place: string): string[] {
	const names: string[] = place === "" ? [] : [place.replaceAll("$", "")];
	const end = Math.min(tree.until[left] ?? 0, left + LARGEST_TARGET);
	for (let at = left; at < end; ) {
		const role = readRoles(tree, compiled, at);
		const skipped = isDefault(tree, compiled, at);
		if (role & (ROLE.member | ROLE.index) && !skipped) return names;
		if (role & ROLE.identifier && !skipped) names.push(readNodeName(tree, compiled, at));
		at = skipped ? (tree.until[at] ?? end) : at + 1;
	}
	return names;
}
