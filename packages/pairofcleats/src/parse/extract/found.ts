import type { ChunkKind } from "../chunk.ts";
import type { CompiledRule } from "./compileSpec.ts";

/** A node that declares something and may become a chunk. */
export type Found = {
	readonly node: number;
	readonly kind: ChunkKind;
	readonly name: string;
	/** The owner that the source writes before the name: `Foo` of `Foo::bar`, a Go receiver. */
	readonly owner: string;
	readonly nameNode: number;
	/** The node that has the parameters and the body: the definition, or the function that is its value. */
	readonly callable: number;
	readonly rule: CompiledRule | undefined;
	readonly container: boolean;
};
