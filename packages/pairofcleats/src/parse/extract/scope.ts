import type { ChunkKind, InnerSymbol } from "../chunk.ts";
import type { LineIndex } from "../lineIndex.ts";
import type { Visibility } from "../specs/rules.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import type { Header } from "./describeDefinition.ts";
import type { FactSink } from "./factSink.ts";
import type { Found } from "./found.ts";

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
export function fileScope(tree: FlatTree, lines: LineIndex): Scope {
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
