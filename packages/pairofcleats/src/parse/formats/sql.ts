import type { Chunk, ChunkFacts, ChunkKind, ProseChunk } from "../chunk.ts";
import { blocksOf, wideBlocks } from "../chunkLines.ts";
import { cleanComment } from "../comments.ts";
import type { LineIndex } from "../lineIndex.ts";
import { squeeze, unquote } from "../nodeText.ts";
import { type SqlStatement, sqlStatements } from "./sqlStatements.ts";

const CREATED: Readonly<Record<string, ChunkKind>> = {
	TABLE: "table",
	VIEW: "table",
	INDEX: "property",
	FUNCTION: "function",
	PROCEDURE: "function",
	PROC: "function",
	TRIGGER: "function",
	TYPE: "type",
	DOMAIN: "type",
	SCHEMA: "module",
	DATABASE: "module",
	SEQUENCE: "variable",
	ROLE: "record",
	EXTENSION: "module",
};

/** What a script creates are chunks of their own; other statements are gathered in blocks. */
export function chunkSql(lines: LineIndex): { chunks: Chunk[]; prose: ProseChunk[] } {
	const chunks: Chunk[] = [];
	const prose: ProseChunk[] = [];
	let next = 1;
	for (const statement of sqlStatements(lines.text)) {
		for (const comment of statement.comments) {
			const text = cleanComment(comment.text);
			if (text !== "")
				prose.push({
					startLine: lines.lineAt(comment.start),
					endLine: lines.lineAt(Math.max(comment.start, comment.end - 1)),
					text,
				});
		}
		const created = createdBy(statement);
		const startLine = lines.lineAt(statement.start);
		const endLine = lines.lineAt(Math.max(statement.start, statement.end - 1));
		if (!created || startLine < next) continue;
		if (startLine > next) chunks.push(...blocksOf(lines, { startLine: next, endLine: startLine - 1 }));
		const facts = factsOf(statement, lines.text);
		const long = endLine - startLine > 120;
		const pieces = long ? blocksOf(lines, { startLine, endLine }) : wideBlocks(lines, { startLine, endLine });
		for (const [at, piece] of pieces.entries()) {
			chunks.push({
				...piece,
				...created,
				facts,
				...(pieces.length > 1 && { part: { index: at + 1, of: pieces.length } }),
			});
		}
		next = endLine + 1;
	}
	chunks.push(...blocksOf(lines, { startLine: next, endLine: lines.count }));
	return { chunks, prose };
}

function createdBy({ tokens }: SqlStatement): Pick<Chunk, "kind" | "name" | "qualifiedName"> | undefined {
	const words = tokens.slice(0, 16).map(({ text }) => text);
	if (!/^(?:create|alter)$/i.test(words[0] ?? "")) return undefined;
	const at = words.findIndex((word) => Object.hasOwn(CREATED, word.toUpperCase()));
	const kind = at > 0 ? CREATED[(words[at] ?? "").toUpperCase()] : undefined;
	if (!kind || /^alter$/i.test(words[0] ?? "")) return undefined;
	const rest = words.slice(at + 1).filter((word) => !/^(?:if|not|exists|concurrently|only)$/i.test(word));
	const path: string[] = [];
	for (let index = 0; index < rest.length; index += 2) {
		path.push(unquote(rest[index] ?? "").replace(/^\[|\]$/g, ""));
		if (rest[index + 1] !== ".") break;
	}
	const name = path.at(-1) ?? "";
	return /^[\p{L}_@#]/u.test(name) ? { kind, name, qualifiedName: path.join(".") } : undefined;
}

/** Tables read and written, as far as the keywords before a name tell. */
function factsOf({ tokens, start, end, comments }: SqlStatement, text: string): ChunkFacts {
	const reads = new Set<string>();
	const writes = new Set<string>();
	tokens.forEach((token, index) => {
		const word = token.text.toUpperCase();
		const name = unquote(tokens[index + 1]?.text ?? "");
		if (!/^[\p{L}_]/u.test(name)) return;
		if (word === "FROM" || word === "JOIN" || word === "REFERENCES") reads.add(name);
		if (word === "INTO" || (word === "UPDATE" && !/^(?:set|on|of|or|as)$/i.test(name))) writes.add(name);
	});
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
