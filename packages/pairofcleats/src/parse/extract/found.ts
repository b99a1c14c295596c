import type { ChunkKind } from "../chunk.ts";
import type { CompiledRule } from "./compileSpec.ts";

/** A node that declares something, before it is decided whether it becomes a chunk. */
export type Found = {
	readonly node: number;
	readonly kind: ChunkKind;
	readonly name: string;
	/** Names in front of its own that the source itself writes: `Foo` of `Foo::bar`, a Go receiver. */
	readonly owner: string;
	readonly nameNode: number;
	/** The node that has the parameters and the body: the definition, or the function that is its value. */
	readonly callable: number;
	readonly rule: CompiledRule | undefined;
	readonly container: boolean;
};
