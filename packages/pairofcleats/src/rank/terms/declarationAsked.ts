import type { ChunkKind } from "../../parse/chunk.ts";

/** A declaration that a query names in words: `class Model`, `def reverse(`, `where is Model defined`. */
export type AskedDeclaration = {
	readonly name: string;
	/** The kinds that the query names, if any. */
	readonly kinds: ReadonlySet<ChunkKind> | undefined;
};

/**
 * The declaration that a query asks for, as far as its words tell. Whether something of that name exists decides
 * whether it is meant: `function call` may also be a question.
 */
export function readDeclarationAsked(query: string): AskedDeclaration | undefined {
	const [, keyword, name] = WRITTEN.exec(query.trim()) ?? [];
	if (keyword !== undefined && name !== undefined) return { name, kinds: kindsOf([keyword]) };
	const [, receiver, method] = RECEIVED.exec(query.trim()) ?? [];
	if (receiver !== undefined && method !== undefined) return { name: `${receiver}.${method}`, kinds: undefined };
	const [, member, owner] = OF_OWNER.exec(query.trim()) ?? [];
	if (member !== undefined && owner !== undefined) return { name: `${owner}.${member}`, kinds: undefined };
	return inQuestion(query);
}

const FUNCTIONS = ["function", "method", "constructor", "macro"] as const;
const VALUES = ["constant", "variable", "property", "function"] as const;
const TYPES = ["type", "class", "struct", "interface", "enum", "trait"] as const;

/** What the words that declare something stand for, in all languages together. */
const KINDS: Readonly<Record<string, readonly ChunkKind[]>> = {
	...{ class: ["class"], struct: ["struct", "class"], enum: ["enum", "class"], record: ["class", "struct"] },
	...{ interface: ["interface"], protocol: ["interface"], trait: ["trait", "interface"], object: ["class", "module"] },
	...{ type: TYPES, typedef: TYPES, impl: ["impl"], table: ["table"], define: ["macro"], macro: ["macro"] },
	...{ typealias: TYPES, newtype: TYPES, deftype: TYPES, defprotocol: ["interface"] },
	...{ namespace: ["module"], module: ["module"], package: ["module"], mod: ["module"] },
	...{ def: FUNCTIONS, defp: FUNCTIONS, defmodule: ["module"], fn: FUNCTIONS, func: FUNCTIONS, fun: FUNCTIONS },
	...{ defn: FUNCTIONS, defmacro: ["macro"], defmacrop: ["macro"], macro_rules: ["macro"] },
	...{ function: FUNCTIONS, method: FUNCTIONS, const: VALUES, let: VALUES, var: VALUES, val: VALUES },
};

const MODIFIER = String.raw`(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|open|data|async|suspend|override|virtual|inline|const|constexpr|extern|unsafe|partial|readonly|mutating|lazy|implicit|operator|fileprivate|expect|actual|case|local|pub(?:\([^)]*\))?)`;
const NAME = String.raw`[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:(?:\.|::)[\p{L}_$][\p{L}\p{M}\p{N}_$]*)*[!?]?`;

/** A declaration as it stands in code, with or without what follows its name. */
const WRITTEN = new RegExp(
	String.raw`^(?:${MODIFIER}\s+)*#?(${Object.keys(KINDS).join("|")})!?\s+(${NAME})\s*(?:[(<\{:=;].*)?$`,
	"su",
);
/** A method in Go. */
const RECEIVED = /^func\s+\(\s*(?:\w+\s+)?\*?(\w+)(?:\[[^\]]*\])?\s*\)\s+(\w+)/;
const OF_OWNER = new RegExp(
	String.raw`^(?:the\s+)?(${NAME})\s+(?:method|function|property|field|attribute)\s+(?:of|in|on)\s+(?:the\s+)?(?:class\s+)?(${NAME})\??$`,
	"u",
);

/** Words that ask for the place of a declaration. */
const DEFINING: ReadonlySet<string> = new Set([
	...["definition", "defined", "define", "defines", "declaration", "declared", "implementation", "implemented"],
	...Object.keys(KINDS),
]);
/** Words around a name that say nothing but that it is looked for. */
const ASKING: ReadonlySet<string> = new Set([
	...["where", "what", "which", "is", "are", "the", "a", "an", "of", "in", "for", "find", "show", "me", "get", "give"],
	...["see", "look", "up", "locate", "open", "please", "can", "you", "i", "want", "need", "source", "code", "file"],
	...["how", "do", "does", "work", "works", "mean", "means", "explain"],
	...DEFINING,
]);
const WORD = new RegExp(`^${NAME}$`, "u");

/** One name among words that only ask for it. A name in small letters needs a word that asks for a declaration. */
function inQuestion(query: string): AskedDeclaration | undefined {
	const words = query
		.trim()
		.split(/\s+/)
		.map((word) => word.replace(/[?.,:;]+$|\(\)$/g, ""));
	const [name, ...others] = words.filter((word) => !ASKING.has(word.toLowerCase()));
	if (name === undefined || others.length > 0 || words.length === 1 || !WORD.test(name)) return undefined;
	const asking = words.filter((word) => word !== name).map((word) => word.toLowerCase());
	if (!/[\p{Lu}_]/u.test(name) && !asking.some((word) => DEFINING.has(word))) return undefined;
	return { name, kinds: kindsOf(asking) };
}

function kindsOf(words: readonly string[]): ReadonlySet<ChunkKind> | undefined {
	const kinds = new Set(words.flatMap((word) => (Object.hasOwn(KINDS, word) ? (KINDS[word] ?? []) : [])));
	return kinds.size === 0 ? undefined : kinds;
}

/** Words that ask for the places where something is used. */
const USING: ReadonlySet<string> = new Set([
	...["call", "calls", "called", "caller", "callers", "calling", "invoke", "invokes", "invoked", "invocations"],
	...["use", "uses", "used", "user", "users", "using", "usage", "usages"],
	...["reference", "references", "referenced"],
]);
/** Words around a name that say nothing but that its uses are looked for. */
const ROUND_USES: ReadonlySet<string> = new Set([
	...["who", "what", "which", "where", "is", "are", "was", "do", "does", "we", "i", "gets", "get", "being", "else"],
	...["the", "all", "every", "any", "of", "to", "from", "in", "by", "for", "find", "show", "list", "me", "please"],
	...["function", "functions", "method", "methods", "class", "classes", "place", "places", "file", "files", "code"],
	...USING,
]);

/** Names that are no words of a sentence, with or without their owners. */
const IDENTIFIER =
	/^(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|->))*(?:[\p{L}\p{N}$]*(?:[\p{Ll}\p{N}]\p{Lu}|\p{L}_|_\p{L})[\p{L}\p{N}_$]*)[!?]?$/u;

/** The identifier whose uses a query asks for, and nothing else: `who calls openSession`, `where is MAX_SIZE used`. */
export function readUsageAsked(query: string): string | undefined {
	const words = query
		.trim()
		.split(/\s+/)
		.map((word) => word.replace(/[?.,:;]+$/, "").replace(/^[`'"]|[`'"]$|\(\)[`'"]?$/g, ""));
	const [name, ...others] = words.filter((word) => !ROUND_USES.has(word.toLowerCase()));
	if (name === undefined || others.length > 0 || !IDENTIFIER.test(name)) return undefined;
	return words.some((word) => USING.has(word.toLowerCase())) ? name : undefined;
}
