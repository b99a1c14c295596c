import type { ChunkKind, InnerSymbol } from "../chunk.ts";
import type { LineIndex } from "../lineIndex.ts";
import type { Visibility } from "../specs/spec.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import type { Header } from "./describeDefinition.ts";
import type { FactSink } from "./factSink.ts";
import type { Found } from "./found.ts";

/** A definition that is a chunk of its own, or the file itself (`found` absent). */
export type Scope = {
	readonly found: Found | undefined;
	readonly header: Header | undefined;
	readonly qualifiedName: string;
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
	/** The declaration of several names that the scope is; -1 where it is none. */
	readonly group: number;
	/** By the node whose children they hold for: what `private:` and the like said last. */
	readonly sections: Map<number, Visibility>;
};

/** The file itself, in which everything lies. */
export function fileScope(tree: FlatTree, lines: LineIndex): Scope {
	return {
		found: undefined,
		header: undefined,
		qualifiedName: "",
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

/** A run of lines of one scope between chunks of its members. */
export type Segment = {
	readonly scope: Scope;
	readonly startLine: number;
	endLine: number;
	readonly sink: FactSink;
	readonly symbols: InnerSymbol[];
	/** Nodes of the segment: from the first, up to the second. */
	readonly fromNode: number;
	toNode: number;
};

const TYPE_KINDS: ReadonlySet<ChunkKind> = new Set(["class", "interface", "struct", "trait", "impl", "enum", "type"]);

export function isType(scope: Scope): boolean {
	return scope.found !== undefined && TYPE_KINDS.has(scope.found.kind);
}

/** Inside a function, rather than a file, a type or another container. */
export function isLocal(scope: Scope): boolean {
	return !scope.container && !isType(scope);
}

/** Names in a module's scope are the file's own. */
export function isOpen(scope: Scope): boolean {
	return scope.found === undefined || scope.found.kind === "module";
}
