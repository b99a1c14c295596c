import type { ChunkKind, InnerSymbol } from "../../chunk.ts";
import type { LineIndex } from "../../chunkLines.ts";
import type { Visibility } from "../../specs/rules.ts";
import type { FlatTree } from "../../tree/flatTree.ts";
import { lookUpOwn, readNodeText } from "../../tree/nodeText.ts";
import type { Header } from "../definitions/describeDefinition.ts";
import type { Found } from "../definitions/visibility.ts";
import type { FactSink } from "../facts/factSink.ts";
import type { CompiledSpec } from "../spec/compileSpec.ts";

/** A definition that is a chunk of its own, or the file itself (`found` absent). */
export type Scope = {
	readonly found: Found | undefined;
	readonly header: Header | undefined;
	readonly qualifiedName: string;
	/** The part of the qualified name that the whole file shares: `App` in a file with `namespace App;`. */
	readonly namespace: string;
	readonly startLine: number;
	readonly endLine: number;
	/** First node after the scope. */
	readonly until: number;
	/** Node whose children are the scope's statements. */
	readonly body: number;
	readonly container: boolean;
	readonly docstring: string;
	readonly segments: Segment[];
	/** Nodes below this index are inside a function expression of the scope, not in the scope's own function. */
	nestedUntil: number;
	/** The node of the scope's declaration if that declares several names, else -1. */
	readonly group: number;
	/** The last `private:` or similar, by the node whose children it applies to. */
	readonly sections: Map<number, Visibility>;
};

/** The outermost scope: the file itself. */
export function makeFileScope(tree: FlatTree, lines: LineIndex): Scope {
	return {
		found: undefined,
		header: undefined,
		qualifiedName: "",
		namespace: "",
		startLine: 1,
		endLine: lines.count,
		until: tree.count,
		body: 0,
		container: true,
		docstring: "",
		segments: [],
		nestedUntil: 0,
		group: -1,
		sections: new Map(),
	};
}

/** A run of a scope's lines between the chunks of its members. */
export type Segment = {
	readonly scope: Scope;
	readonly startLine: number;
	endLine: number;
	readonly sink: FactSink;
	readonly symbols: InnerSymbol[];
	/** Nodes of the segment, `toNode` excluded. */
	readonly fromNode: number;
	toNode: number;
};

const TYPE_KINDS: ReadonlySet<ChunkKind> = new Set(["class", "interface", "struct", "trait", "impl", "enum", "type"]);

/** A constant of an enum may have members of its own. */
export function isType({ found }: Scope): boolean {
	return found !== undefined && (TYPE_KINDS.has(found.kind) || (found.kind === "property" && found.container));
}

/** Whether the scope is a function, rather than a file, a type or another container. */
export function isLocal(scope: Scope): boolean {
	return !scope.container && !isType(scope);
}

/** Whether names in the scope are top-level names of the file: the file itself, or a module in it. */
export function isOpen(scope: Scope): boolean {
	return scope.found === undefined || scope.found.kind === "module";
}

/** Notes that `private:` applies to its later siblings, in the scope's body or in a node like it. */
export function changeSection(tree: FlatTree, compiled: CompiledSpec, scope: Scope, node: number): void {
	const { type, parent } = tree;
	const hiding = compiled.rules.get(type[node] ?? 0);
	if (hiding) {
		if (hiding.pickName(tree, node) < 0) scope.sections.set(compiled.pickBody(tree, node), "private");
		return;
	}
	const above = parent[node] ?? 0;
	if (above !== scope.body && type[above] !== type[scope.body]) return;
	const word = readNodeText(tree, node).replace(/\s*:$/, "").trim();
	const visibility = lookUpOwn(compiled.spec.visibility?.keywords, word);
	if (visibility) scope.sections.set(above, visibility);
}

/** The visibility that applies to a node by its section or its container. */
export function readSection(
	tree: FlatTree,
	{ rules, sectioned }: CompiledSpec,
	{ sections, body, found, header }: Scope,
	node: number,
): Visibility | undefined {
	const { parent, type } = tree;
	const applies = sections.size > 0 && (sectioned === undefined || sectioned.has(type[node] ?? 0));
	for (let at = parent[node] ?? 0; applies && at >= body; at = parent[at] ?? -1) {
		const section = sections.get(at);
		if (section || at <= 0) return section;
	}
	const rule = found?.rule;
	if (!found || !rule) return undefined;
	if (rule.constructorVisibility && rules.get(type[node] ?? 0)?.kind === "constructor")
		return rule.constructorVisibility;
	if (rule.pickVisible && rule.pickVisible(tree, found.node) < 0) return undefined;
	return rule.memberVisibility === "own" ? header?.visibility : rule.memberVisibility;
}
