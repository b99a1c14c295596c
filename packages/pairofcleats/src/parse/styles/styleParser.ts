import { type FlatTree, type Grammar, MAX_TEXT, TreeBuilder, TreeTooLarge } from "../tree/flatTree.ts";
import { lookUpOwn } from "../tree/nodeText.ts";
import { BY_WORD, HEADS, ID, TYPES } from "./styleNodes.ts";

/**
 * A hand-written parser for SCSS and Less. Statement boundaries are easy to find, while a tree-sitter grammar has to
 * know every kind of value and selector, and loses everything after one it does not know.
 */
export function loadStyleGrammar(dialect: StyleDialect): Grammar {
	return {
		types: TYPES,
		named: TYPES.map(() => true),
		fields: [null],
		parse: (text) => (text.length > MAX_TEXT ? undefined : parseStyles(text, dialect)),
	};
}

function parseStyles(text: string, dialect: StyleDialect): FlatTree | undefined {
	try {
		return new StyleParser(text, dialect).parse();
	} catch (error) {
		if (error instanceof TreeTooLarge) return undefined;
		throw error;
	}
}

/** The dialects differ in syntax: `$size` and `@size`, `@mixin round` and `.round()`. */
type StyleDialect = "scss" | "less";

const LONGEST_HEAD = 2_000;

/** Parses in one pass; a closing brace always ends the innermost open block. */
class StyleParser {
	readonly #text: string;
	readonly #tree: TreeBuilder;
	readonly #variable: RegExp;
	readonly #mixin: RegExp | undefined;
	readonly #use: RegExp | undefined;

	constructor(text: string, dialect: StyleDialect) {
		this.#text = text;
		this.#tree = new TreeBuilder(text);
		this.#variable = dialect === "scss" ? /(?:[\w-]+\.)?(\$[\w-]+)\s*:/y : /(@(?!page\s)[\w-]+)\s*:/y;
		this.#mixin = dialect === "less" ? /[.#]([\w-]+)\s*(\([^{}]*\))\s*(?:when\b[^{}]*)?$/y : undefined;
		this.#use = dialect === "less" ? /(?:[.#][\w-]+\s*(?:>\s*)?)*[.#]([\w-]+)\s*(?:\(|!important\s*$|$)/y : undefined;
	}

	parse(): FlatTree {
		this.#tree.open(ID.stylesheet, 0);
		let open = 0;
		for (let at = this.#blank(0); at < this.#text.length; at = this.#blank(at)) {
			if (this.#text[at] === ";") at += 1;
			else if (this.#text[at] === "}") {
				at += 1;
				if (open === 0) continue;
				// Close both the block and the node it belongs to.
				this.#tree.close(at);
				this.#tree.close(at);
				open -= 1;
			} else {
				const end = findStatementEnd(this.#text, at);
				if (this.#text[end] === "{") {
					this.#head(at, end);
					this.#tree.open(ID.block, end);
					open += 1;
					at = end + 1;
				} else {
					this.#statement(at, end);
					at = end;
				}
			}
		}
		for (; open > 0; open -= 1) {
			this.#tree.close(this.#text.length);
			this.#tree.close(this.#text.length);
		}
		this.#tree.close(this.#text.length);
		return this.#tree.tree();
	}

	/** Skips whitespace and comments; the comments become nodes. */
	#blank(from: number): number {
		for (let at = from; ; ) {
			BLANK.lastIndex = at;
			at += BLANK.exec(this.#text)?.[0].length ?? 0;
			COMMENT.lastIndex = at;
			const comment = COMMENT.exec(this.#text)?.[0];
			if (comment === undefined) return at;
			this.#tree.leaf(ID.comment, at, at + comment.trimEnd().length);
			at += comment.length;
		}
	}

	/** Opens the node of a statement with a block. */
	#head(start: number, end: number): void {
		const word = this.#wordAt(start);
		const mixin = this.#matchIn(this.#mixin, start, end);
		const variable = this.#matchIn(this.#variable, start, end);
		const placeholder = this.#matchIn(/%([\w-]+)\s*$/y, start, end);
		if (variable) this.#declare(variable, start, end);
		else if (word !== undefined) this.#atRule(word, start, end);
		else if (mixin) {
			this.#tree.open(ID.mixin_statement, start);
			const at = start + 1;
			this.#tree.leaf(ID.name, at, at + (mixin[1]?.length ?? 0));
			const list = start + mixin[0].indexOf("(");
			this.#parameters(list, list + (mixin[2]?.length ?? 0));
		} else if (placeholder) {
			this.#tree.open(ID.placeholder, start);
			this.#tree.leaf(ID.name, start + 1, start + 1 + (placeholder[1]?.length ?? 0));
		} else if (this.#matchIn(FAMILY, start, end) || this.#matchIn(STEP, start, end)) {
			this.#tree.open(ID.at_statement, start);
			this.#values(start, end);
		} else {
			this.#tree.open(ID.rule_set, start);
			this.#tree.leaf(ID.selectors, start, this.#lastOf(start, end));
			this.#values(start, end);
		}
	}

	#statement(start: number, end: number): void {
		const word = this.#wordAt(start);
		const variable = this.#matchIn(this.#variable, start, end);
		const property = this.#matchIn(/(--[\w-]+)\s*:/y, start, end);
		const used = this.#matchIn(this.#use, start, end);
		if (variable) this.#declare(variable, start, end);
		else if (word !== undefined) this.#atRule(word, start, end);
		else if (property) {
			this.#tree.open(ID.custom_property, start);
			this.#tree.leaf(ID.property_name, start, start + (property[1]?.length ?? 0));
			this.#values(start + property[0].length, end);
		} else if (used) {
			const name = used[1] ?? "";
			const at = start + used[0].lastIndexOf(name);
			this.#tree.open(ID.include_statement, start);
			this.#tree.leaf(ID.identifier, at, at + name.length);
			this.#values(at + name.length, end);
		} else {
			this.#values(start, end);
			return;
		}
		this.#tree.close(this.#lastOf(start, end));
	}

	#declare(found: RegExpExecArray, start: number, end: number): void {
		const name = found[1] ?? "";
		const at = start + found[0].indexOf(name);
		this.#tree.open(ID.declaration, start);
		this.#tree.leaf(ID.variable_name, at, at + name.length);
		this.#values(start + found[0].length, end);
	}

	#atRule(word: string, start: number, end: number): void {
		const type = lookUpOwn(BY_WORD, word.replace(/^-[a-z]+-/, "")) ?? "at_statement";
		this.#tree.open(ID[type], start);
		const from = this.#skipBlank(start + 1 + word.length);
		const head = HEADS[type];
		const found = head && this.#matchIn(head.pattern, from, end);
		if (head && found) {
			const text = found[1] ?? found[0];
			const at = from + found[0].indexOf(text);
			this.#tree.leaf(ID[head.type], at, at + text.length);
		} else if (type === "media_statement" || type === "supports_statement")
			this.#tree.leaf(ID.query, from, Math.max(from, this.#lastOf(from, end)));
		const rest = from + (found?.[0].length ?? 0);
		const isDefinition = type === "mixin_statement" || type === "function_statement";
		if (isDefinition && this.#text[rest] === "(") this.#parameters(rest, this.#lastOf(rest, end));
		else if (type !== "import_statement") this.#values(rest, end);
	}

	/** Parameter names only; the values after a colon are defaults. */
	#parameters(start: number, end: number): void {
		this.#tree.open(ID.parameters, start);
		const list = this.#text.slice(start, end);
		for (const found of list.matchAll(/(?:^\(|[,;])\s*([$@][\w-]+)/g)) {
			const at = start + found.index + found[0].length;
			this.#tree.leaf(ID.variable_name, at - (found[1]?.length ?? 0), at);
		}
		this.#tree.close(end);
	}

	/** Adds nodes for the calls and variables in a range. */
	#values(start: number, end: number): void {
		for (const { index, groups: { call, variable } = {} } of this.#text.slice(start, end).matchAll(VALUES)) {
			const at = start + index;
			if (call !== undefined) {
				this.#tree.open(ID.call_expression, at);
				this.#tree.leaf(ID.function_name, at, at + call.length);
				this.#tree.close(at + call.length);
			} else if (variable !== undefined) this.#tree.leaf(ID.variable_value, at, at + variable.length);
		}
	}

	#wordAt(start: number): string | undefined {
		WORD.lastIndex = start;
		return WORD.exec(this.#text)?.[1];
	}

	/** Matches at the start of a statement; only a bounded prefix is searched, so that a huge statement stays cheap. */
	#matchIn(pattern: RegExp | undefined, start: number, end: number): RegExpExecArray | undefined {
		if (!pattern) return undefined;
		pattern.lastIndex = 0;
		return pattern.exec(this.#text.slice(start, Math.min(end, start + LONGEST_HEAD))) ?? undefined;
	}

	#skipBlank(from: number): number {
		BLANK.lastIndex = from;
		return from + (BLANK.exec(this.#text)?.[0].length ?? 0);
	}

	#lastOf(start: number, end: number): number {
		return start + this.#text.slice(start, end).trimEnd().length;
	}
}

const BLANK = /\s*/y;
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/y;
const WORD = /@([a-z-]+)(?![\w{])/iy;
/** Nested properties, as in `font: { size: 1px }`; in a selector, no whitespace follows the colon. */
const FAMILY = /[\w-]+:(?:\s|$)/y;
/** A keyframe selector. */
const STEP = /(?:from|to|[\d.]+%)(?:\s*,\s*(?:from|to|[\d.]+%))*\s*$/y;
const VALUES =
	/\/\*[\s\S]*?(?:\*\/|$)|(?<!:)\/\/[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|(?<call>(?<![\w.:$@-])[a-z_][\w.-]*)\(|(?<variable>[$@][a-z_][\w-]*)/gi;

/**
 * Where a style sheet statement ends: before `;`, `{` or `}`, or at the end of the text. Brackets and quotes are
 * skipped.
 */
function findStatementEnd(text: string, from: number): number {
	let depth = 0;
	SKIPPED.lastIndex = from;
	for (let found = SKIPPED.exec(text); found; found = SKIPPED.exec(text)) {
		const { 0: mark, index } = found;
		switch (mark) {
			case "(":
			case "[":
				depth += 1;
				break;
			case ")":
			case "]":
				depth = Math.max(0, depth - 1);
				break;
			case ";":
				if (depth === 0) return index;
				break;
			case "{":
			case "}":
				// Braces end the statement even inside an unclosed bracket.
				return index;
		}
	}
	return text.length;
}

/**
 * Skips comments, strings (up to the end of the line), unquoted `url(…)` and interpolations. A `//` after a colon is
 * part of a URL, not a comment.
 */
const SKIPPED =
	/\/\*[\s\S]*?(?:\*\/|$)|(?<!:)\/\/[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|\burl\(\s*[^"'()\s][^()]*\)|[#@]\{(?:[^{}]|\{[^{}]*\})*\}|[()[\]{};]/g;
