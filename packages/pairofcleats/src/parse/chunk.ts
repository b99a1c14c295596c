/** The result of parsing one file. The index stores it and never parses the file again. */
export type ParsedFile = {
	readonly language: string;
	/** Module specifiers this file imports, as written. */
	readonly imports: readonly string[];
	/** Names that the file exports. */
	readonly exports: readonly string[];
	/** In source order, never overlapping; together they cover every line with a letter or digit that is more than a closer. */
	readonly chunks: readonly Chunk[];
	/** Comments and docstrings as prose of their own, for the `extracted-prose` mode. */
	readonly prose: readonly ProseChunk[];
	readonly parseErrors: readonly Diagnostic[];
	/** How the chunks were found: by a grammar, by an ordinary parser (JSON, Markdown, …) or by lines. */
	readonly method: "grammar" | "format" | "lines";
};

/** A declaration, a section, or a run of lines between them. Lines are 1-based and inclusive. */
export type Chunk = {
	readonly startLine: number;
	readonly endLine: number;
	/** Offsets into the file's text (UTF-16 units), so that `text.slice(start, end)` is the chunk. */
	readonly start: number;
	readonly end: number;
	readonly kind: ChunkKind;
	readonly name: string;
	/** Enclosing names joined with dots, the chunk's own last: `Outer.Inner.method`. */
	readonly qualifiedName: string;
	/** What the qualified name begins with because of a statement for the whole file: `App` for `namespace App;`. */
	readonly namespace?: string;
	/** Line where the declaration begins, if a comment or decorator comes before it in the chunk. */
	readonly nameLine?: number;
	/** Last line of the whole declaration when its members are chunks of their own (a class and its methods). */
	readonly extentEndLine?: number;
	/** Declarations inside this chunk that are too small to be chunks: constants, fields, signatures, inner functions. */
	readonly symbols?: readonly InnerSymbol[];
	/**
	 * Present if a declaration has several chunks, because it is long or has other chunks in it. The parts have the same
	 * name and facts and count from 1.
	 */
	readonly part?: { readonly index: number; readonly of: number };
	/** Absent if the language or the chunk has no facts. */
	readonly facts?: ChunkFacts;
};

export type InnerSymbol = {
	readonly kind: ChunkKind;
	readonly name: string;
	readonly line: number;
	/** Present for functions and methods that are not inside another function. */
	readonly callable?: {
		/** The enclosing names joined with dots. */
		readonly owner: string;
		/** What the owner begins with because of a statement for the whole file. */
		readonly namespace?: string;
		/** False for a signature. */
		readonly hasBody: boolean;
	};
};

/** Every kind of chunk, as `--type` takes it. */
export const CHUNK_KINDS = [
	"function",
	"method",
	"constructor",
	"class",
	"interface",
	"struct",
	"enum",
	"trait",
	"impl",
	"type",
	"module",
	"variable",
	"constant",
	"property",
	"macro",
	"test",
	"rule",
	"table",
	"element",
	"section",
	"record",
	"block",
] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

const FUNCTION_KINDS: ReadonlySet<ChunkKind> = new Set(["function", "method", "constructor", "macro", "test"]);

export function isFunctionLike(kind: ChunkKind): boolean {
	return FUNCTION_KINDS.has(kind);
}

/**
 * Facts from the syntax tree. An empty list means that none was found; `undefined` means that the language has no such
 * fact.
 */
export type ChunkFacts = {
	readonly signature?: string;
	readonly params?: readonly string[];
	readonly decorators?: readonly string[];
	readonly returnType?: string;
	readonly inferredTypes?: readonly string[];
	readonly visibility?: "public" | "protected" | "private" | "internal";
	readonly exported?: boolean;
	readonly async?: boolean;
	readonly generator?: boolean;
	readonly returns?: boolean;
	readonly extends?: readonly string[];
	readonly implements?: readonly string[];
	readonly imports?: readonly string[];
	readonly calls?: readonly string[];
	readonly uses?: readonly string[];
	readonly throws?: readonly string[];
	readonly awaits?: readonly string[];
	readonly reads?: readonly string[];
	readonly writes?: readonly string[];
	readonly mutates?: readonly string[];
	/** `left=right` pairs. */
	readonly aliases?: readonly string[];
	readonly branches?: number;
	readonly loops?: number;
	readonly breaks?: number;
	readonly continues?: number;
	readonly docstring?: string;
	readonly risk?: RiskFacts;
};

/** Facts while they are gathered. */
export type DraftFacts = { -readonly [Field in keyof ChunkFacts]: ChunkFacts[Field] };

export type RiskFacts = {
	readonly tags: readonly string[];
	readonly categories: readonly string[];
	readonly sources: readonly string[];
	readonly sinks: readonly string[];
	/** `source->sink`. */
	readonly flows: readonly string[];
	readonly severity: "low" | "medium" | "high" | "critical";
};

export type ProseChunk = { readonly startLine: number; readonly endLine: number; readonly text: string };

export type Diagnostic = { readonly line: number; readonly rule: string; readonly message: string };
