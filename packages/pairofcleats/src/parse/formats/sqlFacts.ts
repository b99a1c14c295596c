import type { ChunkFacts, InnerSymbol } from "../chunk.ts";
import { cleanComment } from "../extract/comments.ts";
import type { LineIndex } from "../lineIndex.ts";
import { squeeze, unquote } from "../tree/nodeText.ts";
import type { SqlStatement } from "./sqlStatements.ts";
import { tablesIn } from "./sqlTables.ts";

/** Facts about the object that a `CREATE` statement creates. */
export function sqlFacts(statement: SqlStatement, text: string): ChunkFacts {
	const { tokens, start, end, comments } = statement;
	const { reads, writes } = tablesIn(statement, text);
	const lead = comments
		.filter((comment) => comment.start < (tokens[0]?.start ?? 0))
		.map((comment) => cleanComment(comment.text));
	const head = text.slice(tokens[0]?.start ?? start, end);
	return {
		signature: squeeze(head.replace(/\(\s*\n[\s\S]*$|\b(?:AS|BEGIN)\b[\s\S]*$/i, ""), 300),
		reads: [...reads],
		writes: [...writes],
		...(lead.length > 0 && { docstring: lead.join("\n").slice(0, 4000) }),
	};
}

const NO_COLUMN = /^(?:constraint|primary|foreign|unique|check|key|index|like|exclude|fulltext|spatial|period)$/i;

/** The columns of a table: the first name of each entry in its parenthesised list. */
export function columnsOf({ tokens }: SqlStatement, lines: LineIndex): InnerSymbol[] {
	const columns: InnerSymbol[] = [];
	const open = tokens.findIndex(({ text }) => text === "(" || /^(?:as|select)$/i.test(text));
	if (tokens[open]?.text !== "(") return columns;
	let depth = 0;
	for (const [index, token] of tokens.entries()) {
		if (index < open) continue;
		if (depth === 1 && /^[(,]$/.test(tokens[index - 1]?.text ?? "")) {
			const name = unquote(token.text).replace(/^\[|\]$/g, "");
			if (/^[\p{L}_]/u.test(name) && !NO_COLUMN.test(token.text))
				columns.push({ kind: "property", name, line: lines.lineAt(token.start) });
		}
		if (token.text === "(") depth += 1;
		if (token.text === ")") depth -= 1;
		if (depth === 0 && index > open) break;
	}
	return columns;
}
