import type { Chunk, ChunkFacts, ChunkKind, InnerSymbol, ProseChunk } from "../chunk.ts";
import { cutIntoBlocks, cutIntoParts, type LineIndex } from "../chunkLines.ts";
import { cleanComment } from "../extract/scopes/comments.ts";
import { shortenText, stripQuotes } from "../tree/nodeText.ts";
import { type SqlStatement, splitSqlStatements } from "./sqlStatements.ts";
import { findTables, type SqlTables } from "./sqlTables.ts";

const CREATED: Readonly<Record<string, ChunkKind>> = {
	TABLE: "table",
	VIEW: "table",
	INDEX: "property",
	FUNCTION: "function",
	PROCEDURE: "function",
	PROC: "function",
	PACKAGE: "module",
	TRIGGER: "function",
	TYPE: "type",
	DOMAIN: "type",
	SCHEMA: "module",
	DATABASE: "module",
	SEQUENCE: "variable",
	ROLE: "record",
	EXTENSION: "module",
};

/** Makes a chunk per created object (table, view, function); all other statements are gathered in blocks. */
export function chunkSql(lines: LineIndex): { chunks: Chunk[]; prose: ProseChunk[] } {
	const chunks: Chunk[] = [];
	const prose: ProseChunk[] = [];
	let others: Placed[] = [];
	let next = 1;
	const gather = (endLine: number): void => {
		chunks.push(...withTables(cutIntoBlocks(lines, { startLine: next, endLine }), others));
		others = [];
	};
	for (const statement of splitSqlStatements(lines.text)) {
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
		if (!created || startLine < next) {
			others.push({ startLine, endLine, tables: findTables(statement, lines.text) });
			continue;
		}
		if (startLine > next) gather(startLine - 1);
		const facts = readSqlFacts(statement, lines.text);
		const columns = created.kind === "table" ? listColumns(statement, lines) : [];
		const pieces = cutIntoParts(lines, { startLine, endLine });
		for (const [at, piece] of pieces.entries()) {
			const symbols = columns.filter(({ line }) => line >= piece.startLine && line <= piece.endLine);
			chunks.push({
				...piece,
				...created,
				facts,
				...(symbols.length > 0 && { symbols }),
				...(pieces.length > 1 && { part: { index: at + 1, of: pieces.length } }),
			});
		}
		next = endLine + 1;
	}
	gather(lines.count);
	return { chunks, prose };
}

type Placed = { readonly startLine: number; readonly endLine: number; readonly tables: SqlTables };

/** Adds to each block the tables that its statements read and write. Both lists are in source order. */
function withTables(blocks: readonly Chunk[], placed: readonly Placed[]): Chunk[] {
	let from = 0;
	let last: Chunk | undefined;
	return blocks.map((block) => {
		// A long line is cut into several blocks; reusing the previous result avoids quadratic time on its length.
		if (last?.startLine === block.startLine && last.endLine === block.endLine) return { ...last, ...block };
		const reads = new Set<string>();
		const writes = new Set<string>();
		while ((placed[from]?.endLine ?? Number.POSITIVE_INFINITY) < block.startLine) from += 1;
		for (let at = from; (placed[at]?.startLine ?? Number.POSITIVE_INFINITY) <= block.endLine; at += 1) {
			for (const name of placed[at]?.tables.reads ?? []) reads.add(name);
			for (const name of placed[at]?.tables.writes ?? []) writes.add(name);
		}
		last = reads.size + writes.size === 0 ? block : { ...block, facts: { reads: [...reads], writes: [...writes] } };
		return last;
	});
}

function createdBy({ tokens }: SqlStatement): Pick<Chunk, "kind" | "name" | "qualifiedName"> | undefined {
	const words = tokens.slice(0, 16).map(({ text }) => text);
	if (!/^(?:create|alter)$/i.test(words[0] ?? "")) return undefined;
	const at = words.findIndex((word) => Object.hasOwn(CREATED, word.toUpperCase()));
	const kind = at > 0 ? CREATED[(words[at] ?? "").toUpperCase()] : undefined;
	if (!kind || /^alter$/i.test(words[0] ?? "")) return undefined;
	const rest = words.slice(at + 1).filter((word) => !/^(?:if|not|exists|concurrently|only|body)$/i.test(word));
	const path: string[] = [];
	for (let index = 0; index < rest.length; index += 2) {
		path.push(stripQuotes(rest[index] ?? "").replace(/^\[|\]$/g, ""));
		if (rest[index + 1] !== ".") break;
	}
	const name = path.at(-1) ?? "";
	return /^[\p{L}_@#]/u.test(name) ? { kind, name, qualifiedName: path.join(".") } : undefined;
}

/** Facts about the object that a `CREATE` statement creates. */
function readSqlFacts(statement: SqlStatement, text: string): ChunkFacts {
	const { tokens, start, end, comments } = statement;
	const { reads, writes } = findTables(statement, text);
	const lead = comments
		.filter((comment) => comment.start < (tokens[0]?.start ?? 0))
		.map((comment) => cleanComment(comment.text));
	const head = text.slice(tokens[0]?.start ?? start, end);
	return {
		signature: shortenText(head.replace(/\(\s*\n[\s\S]*$|\b(?:AS|BEGIN)\b[\s\S]*$/i, ""), 300),
		reads: [...reads],
		writes: [...writes],
		...(lead.length > 0 && { docstring: lead.join("\n").slice(0, 4000) }),
	};
}

const NO_COLUMN = /^(?:constraint|primary|foreign|unique|check|key|index|like|exclude|fulltext|spatial|period)$/i;

/** The columns of a table: the first name of each entry in its parenthesised list. */
function listColumns({ tokens }: SqlStatement, lines: LineIndex): InnerSymbol[] {
	const columns: InnerSymbol[] = [];
	const open = tokens.findIndex(({ text }) => text === "(" || /^(?:as|select)$/i.test(text));
	if (tokens[open]?.text !== "(") return columns;
	let depth = 0;
	for (const [index, token] of tokens.entries()) {
		if (index < open) continue;
		if (depth === 1 && /^[(,]$/.test(tokens[index - 1]?.text ?? "")) {
			const name = stripQuotes(token.text).replace(/^\[|\]$/g, "");
			if (/^[\p{L}_]/u.test(name) && !NO_COLUMN.test(token.text))
				columns.push({ kind: "property", name, line: lines.lineAt(token.start) });
		}
		if (token.text === "(") depth += 1;
		if (token.text === ")") depth -= 1;
		if (depth === 0 && index > open) break;
	}
	return columns;
}
