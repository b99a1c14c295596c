import type { Diagnostic } from "../chunk.ts";
import type { LineIndex } from "../lineIndex.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import { squeeze, textOf } from "../tree/nodeText.ts";
import type { CompiledSpec } from "./compileSpec.ts";

/** What the grammar made nothing of, as a diagnostic. */
export function parseError(tree: FlatTree, { spec }: CompiledSpec, lines: LineIndex, node: number): Diagnostic {
	const text = squeeze(textOf(tree, node), 60);
	return {
		line: lines.lineAt(tree.start[node] ?? 0),
		rule: "parse-error",
		message: `cannot be read as ${spec.comments.length > 0 ? "this language" : "text"}: ${text}`,
	};
}
