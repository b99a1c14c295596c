import type { Diagnostic } from "../chunk.ts";
import type { LineIndex } from "../lineIndex.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { MOST_ERRORS, parseError } from "./parseError.ts";

/** Assumed by grammars beside a macro or directive, where the text is right. */
const BY_MACROS = /^(?:,|::)$/;

/** A diagnostic for each token that the grammar had to assume, with the line of what it belongs to. */
export function missingTokens(
	{ type, start, parent, missing }: FlatTree,
	{ grammar, spec }: CompiledSpec,
	lines: LineIndex,
): Diagnostic[] {
	const tokenAt = (node: number): string => grammar.types[type[node] ?? 0] ?? "";
	const lacking = spec.conditions ? missing.filter((node) => !BY_MACROS.test(tokenAt(node))) : missing;
	return lacking.slice(0, MOST_ERRORS).map((node) => {
		const line = lines.lineAt(start[node] ?? 0);
		const from = lines.lineAt(start[parent[node] ?? 0] ?? 0);
		return parseError(line, `\`${tokenAt(node)}\` is missing${from === line ? "" : `, for line ${from}`}`);
	});
}
