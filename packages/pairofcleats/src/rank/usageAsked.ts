/** Words that ask for the places where something is used. */
const USING: ReadonlySet<string> = new Set([
	...["call", "calls", "called", "caller", "callers", "calling", "invoke", "invokes", "invoked", "invocations"],
	...["use", "uses", "used", "user", "users", "using", "usage", "usages"],
	...["reference", "references", "referenced"],
]);
/** Words around a name that say nothing but that its uses are looked for. */
const ASKING: ReadonlySet<string> = new Set([
	...["who", "what", "which", "where", "is", "are", "was", "do", "does", "we", "i", "gets", "get", "being", "else"],
	...["the", "all", "every", "any", "of", "to", "from", "in", "by", "for", "find", "show", "list", "me", "please"],
	...["function", "functions", "method", "methods", "class", "classes", "place", "places", "file", "files", "code"],
	...USING,
]);

/** Names that are no words of a sentence, with or without their owners. */
const IDENTIFIER =
	/^(?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|::|->))*(?:[\p{L}\p{N}$]*(?:[\p{Ll}\p{N}]\p{Lu}|\p{L}_|_\p{L})[\p{L}\p{N}_$]*)[!?]?$/u;

/** The identifier whose uses a query asks for, and nothing else: `who calls openSession`, `where is MAX_SIZE used`. */
export function usageAsked(query: string): string | undefined {
	const words = query
		.trim()
		.split(/\s+/)
		.map((word) => word.replace(/[?.,:;]+$/, "").replace(/^[`'"]|[`'"]$|\(\)[`'"]?$/g, ""));
	const [name, ...others] = words.filter((word) => !ASKING.has(word.toLowerCase()));
	if (name === undefined || others.length > 0 || !IDENTIFIER.test(name)) return undefined;
	return words.some((word) => USING.has(word.toLowerCase())) ? name : undefined;
}
