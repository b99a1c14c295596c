type Span = { readonly from: number; readonly to: number };
type Depth = { paren: number; brace: number };
/** The lines of one condition; `first` and `last` are the places of its outermost characters of code, -1 where it has none. */
type Branch = Span & { readonly first: number; readonly last: number; readonly balanced: boolean };
type Group = {
	/** Where the code before it ends. */
	readonly before: number;
	readonly at: Depth;
	readonly head: string;
	readonly directives: Span[];
	readonly branches: Branch[];
	after: Depth;
	from: number;
	first: number;
	dips: boolean;
};

const DIRECTIVE = /[ \t]*#[ \t]*(\w*)/y;
const STARTS = /^(?:if|ifdef|ifndef)$/;
const TURNS = /^(?:elif|elifdef|elifndef|else)$/;
/** A longer piece is no part of a statement, but was misread. */
const LONGEST_PIECE = 2_000;

/**
 * Blanks preprocessor conditions of C and C# around incomplete code, such as `else` without its `if`, or one of two heads of a
 * function, because no grammar parses it. Of alternatives, the first stays.
 */
export function blankTornConditions(text: string): string {
	if (!/^[ \t]*#[ \t]*if/m.test(text)) return text;
	const spans = new ConditionReader(text).read().sort((a, b) => a.from - b.from);
	let plain = "";
	let at = 0;
	for (const { from, to } of spans) {
		if (to <= at) continue;
		plain += text.slice(at, Math.max(at, from)) + text.slice(Math.max(at, from), to).replace(/[^\n\r]/g, " ");
		at = to;
	}
	return plain + text.slice(at);
}

class ConditionReader {
	readonly #text: string;
	readonly #open: Group[] = [];
	readonly #blanks: Span[] = [];
	#depth: Depth = { paren: 0, brace: 0 };
	/** Place of the last character of code. */
	#last = -1;

	constructor(text: string) {
		this.#text = text;
	}

	read(): Span[] {
		const text = this.#text;
		let lineStart = true;
		for (let at = 0; at < text.length; ) {
			if (lineStart) {
				DIRECTIVE.lastIndex = at;
				const directive = DIRECTIVE.exec(text);
				if (directive) {
					const to = endOfDirective(text, DIRECTIVE.lastIndex);
					this.#directive(directive[1] ?? "", { from: at, to });
					at = to;
				}
			}
			const code = text.charCodeAt(at);
			lineStart = code === 10;
			if (code <= 32) at += 1;
			else if (isWordCode(code)) {
				this.#code(code, at);
				while (isWordCode(text.charCodeAt(at + 1))) at += 1;
				this.#last = at;
				at += 1;
			} else if (code === 47 && (text[at + 1] === "/" || text[at + 1] === "*")) at = endOfComment(text, at);
			else {
				this.#code(code, at);
				at = code === 34 || code === 39 ? endOfQuoted(text, at) : at + 1;
			}
		}
		return this.#blanks;
	}

	#code(code: number, at: number): void {
		this.#last = at;
		const group = this.#open.at(-1);
		if (group && group.first < 0) group.first = at;
		if (code === 40) this.#depth.paren += 1;
		else if (code === 41) this.#depth.paren -= 1;
		else if (code === 123) this.#depth.brace += 1;
		else if (code === 125) this.#depth.brace -= 1;
		else return;
		if (group && (this.#depth.paren < group.at.paren || this.#depth.brace < group.at.brace)) group.dips = true;
	}

	#directive(word: string, span: Span): void {
		const group = this.#open.at(-1);
		if (STARTS.test(word)) {
			const head = this.#text.slice(span.from, span.to);
			this.#open.push({
				...{ before: this.#last, at: { ...this.#depth }, after: { ...this.#depth }, head },
				...{ directives: [span], branches: [], from: span.to, first: -1, dips: false },
			});
		} else if (group && TURNS.test(word)) {
			this.#endBranch(group, span);
			group.from = span.to;
			this.#depth = { ...group.at };
			this.#last = group.before;
		} else if (group && word === "endif") {
			this.#endBranch(group, span);
			this.#open.pop();
			this.#endGroup(group);
		}
	}

	#endBranch(group: Group, span: Span): void {
		const { at, from, first, dips } = group;
		const balanced = !dips && this.#depth.paren === at.paren && this.#depth.brace === at.brace;
		const last = this.#last > group.before && first >= 0 ? this.#last : -1;
		if (group.branches.length === 0) group.after = { ...this.#depth };
		group.branches.push({ from, to: span.from, first, last, balanced });
		group.directives.push(span);
		group.first = -1;
		group.dips = false;
	}

	#endGroup(group: Group): void {
		const { branches, directives, before } = group;
		const kept = branches[0];
		const text = this.#text;
		this.#depth = group.after;
		this.#last = kept && kept.last >= 0 ? kept.last : before;
		const outer = this.#open.at(-1);
		if (outer && outer.first < 0) outer.first = branches.find(({ first }) => first >= 0)?.first ?? -1;
		if (outer && branches.some(({ balanced }) => !balanced)) {
			outer.dips ||= this.#depth.paren < outer.at.paren || this.#depth.brace < outer.at.brace;
		}
		if (/__cplusplus/.test(group.head) && branches.length === 1 && kept && isLinkage(text, kept)) {
			this.#depth = { ...group.at };
			this.#last = before;
			this.#blank(directives, [kept]);
			return;
		}
		const heads = bodyFollows(text, directives.at(-1)?.to ?? text.length);
		const statements =
			!isConstructorHead(text, before) &&
			branches.every((branch) => isStatements(text, branch) && !isBody(text, before, branch)) &&
			!(heads && branches.some(({ last }) => text[last] === ")"));
		if (statements && endsStatement(text, before)) return;
		const dropped = statements || branches.every((branch) => text[branch.last] === ",") ? [] : branches.slice(1);
		if (dropped.some(({ from, to }) => to - from > LONGEST_PIECE)) return;
		this.#blank(directives, dropped);
	}

	/** Pushed one by one, because a call cannot take some hundred thousand arguments. */
	#blank(...lists: readonly (readonly Span[])[]): void {
		for (const list of lists) for (const span of list) this.#blanks.push(span);
	}
}

function isWordCode(code: number): boolean {
	return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

function isLinkage(text: string, { first, last }: Branch): boolean {
	return first >= 0 && last - first < 40 && /^(?:extern\s*"C"\s*\{|\})$/.test(text.slice(first, last + 1));
}

/** Whether a branch is whole statements or declarations, judging by its first and last characters. */
function isStatements(text: string, { first, last, balanced }: Branch): boolean {
	if (first < 0) return true;
	if (!balanced || /^(?:else\b|[&|)\]?,.=<>]|[-+*/]\s)/.test(text.slice(first, first + 8))) return false;
	return text[last] === ")" ? !isControl(text, last) : /[;}:]/.test(text[last] ?? "");
}

/** Whether a statement may begin here: after another, or after a macro that is one. */
function endsStatement(text: string, before: number): boolean {
	if (before < 0 || /[;{}:]/.test(text[before] ?? "")) return true;
	return text[before] === ")" ? !isControl(text, before) : /^[ \t]*[A-Z][A-Z0-9_]+$/.test(lineBefore(text, before));
}

/** Whether the text ends with the `:` between a constructor's parameters and what initialises it. */
function isConstructorHead(text: string, before: number): boolean {
	if (text[before] !== ":") return false;
	const head = text.slice(Math.max(0, before - 40), before).trimEnd();
	return /(?:\)|\bnoexcept)$/.test(head) && !/^\s*case\b/.test(lineBefore(text, before));
}

/** Whether a body comes next, so that what ends with `)` before it is a head and no macro. */
function bodyFollows(text: string, at: number): boolean {
	return /^\s*(?:\{|=>)/.test(text.slice(at, at + 200));
}

/** Whether a branch is the body of the function whose head comes before it. */
function isBody(text: string, before: number, { first }: Branch): boolean {
	return text[before] === ")" && text[first] === "{";
}

/** Whether the text ends with a control head such as `if (…)`, whose statement is still to come. */
function isControl(text: string, last: number): boolean {
	return /^\s*(?:\}?\s*else\s+)?(?:if|for|while|switch)\b/.test(lineBefore(text, last));
}

function lineBefore(text: string, last: number): string {
	return text.slice(text.lastIndexOf("\n", last) + 1, last + 1);
}

/** A directive continues after a `\` at the end of a line, and to the end of a comment that begins in it. */
function endOfDirective(text: string, from: number): number {
	let end = from;
	for (;;) {
		const next = text.indexOf("\n", end);
		if (next < 0) return text.length;
		const line = text.slice(end, next);
		const remark = line.lastIndexOf("/*");
		if (remark >= 0 && !line.includes("*/", remark)) end = endOfComment(text, end + remark);
		else if (/\\\r?$/.test(line)) end = next + 1;
		else return next;
	}
}

function endOfComment(text: string, at: number): number {
	const end = text[at + 1] === "/" ? text.indexOf("\n", at) : text.indexOf("*/", at + 2);
	return end < 0 ? text.length : text[at + 1] === "/" ? end : end + 2;
}

/** A quote between digits is a separator, and only raw strings and C#'s `@"…"` continue past their line. */
function endOfQuoted(text: string, at: number): number {
	const quote = text[at];
	if (quote === '"' && (text[at - 1] === "@" || text.startsWith('"""', at))) return endOfVerbatim(text, at);
	if (quote === "'" && /\d/.test(text[at - 1] ?? "")) return at + 1;
	if (quote === '"' && text[at - 1] === "R") {
		const open = text.indexOf("(", at);
		const end = open < 0 || open - at > 17 ? -1 : text.indexOf(`)${text.slice(at + 1, open)}"`, open);
		if (end >= 0) return end + open - at + 1;
	}
	for (let next = at + 1; next < text.length; next += 1) {
		const char = text[next];
		if (char === "\\") next += 1;
		else if (char === quote) return next + 1;
		else if (char === "\n") return next;
	}
	return text.length;
}

/** The end of C#'s `@"a ""quoted"" word"` or `"""a "quoted" word"""`. */
function endOfVerbatim(text: string, at: number): number {
	const quotes = /"+/y;
	quotes.lastIndex = at;
	const marks = quotes.exec(text)?.[0] ?? "";
	if (text[at - 1] !== "@") {
		const end = text.indexOf(marks, at + marks.length);
		return end < 0 ? text.length : end + marks.length;
	}
	for (let next = at + 1; next < text.length; next += 1) {
		if (text[next] !== '"') continue;
		if (text[next + 1] !== '"') return next + 1;
		next += 1;
	}
	return text.length;
}
