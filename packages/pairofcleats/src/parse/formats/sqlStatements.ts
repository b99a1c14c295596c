/** A token relevant to splitting a script into statements: a word, a quoted name or string, or a punctuation mark. */
export type SqlToken = { readonly text: string; readonly start: number; readonly end: number };
export type SqlStatement = {
	readonly start: number;
	readonly end: number;
	readonly tokens: readonly SqlToken[];
	readonly comments: readonly SqlToken[];
};

/** Tokens kept per statement; that is enough to classify even a multi-megabyte INSERT. */
const MAX_TOKENS = 4_000;
const WORD = /[\p{L}_@#$][\p{L}\p{N}_@#$]*/uy;
/** MySQL's client command that changes the statement terminator, so that routine bodies can contain semicolons. */
const DELIMITER = /delimiter[ \t]+(\S{1,20})[^\n]*/iy;
const DOLLAR_TAG = /\$(?:[A-Za-z_]\w*)?\$/y;
const ROWS_END = /^\\\.\r?$/gm;

/**
 * Splits SQL at the semicolons that end statements: not those in strings, comments, dollar-quoted bodies or `BEGIN …
 * END` blocks of routines. A line with only `GO` or `/` also ends a statement, and `DELIMITER` changes the terminator.
 * The data rows after `COPY … FROM stdin;` in a dump belong to that statement.
 */
export function splitSqlStatements(text: string): SqlStatement[] {
	const statements: SqlStatement[] = [];
	let tokens: SqlToken[] = [];
	let comments: SqlToken[] = [];
	let start = -1;
	let depth = 0;
	let before: SqlToken | undefined;
	let delimiter = ";";
	let hasRows = true;
	const finish = (end: number): void => {
		if (start >= 0 && tokens.length > 0) statements.push({ start, end, tokens, comments });
		tokens = [];
		comments = [];
		start = -1;
		depth = 0;
		before = undefined;
	};
	for (let at = 0; at < text.length; ) {
		const skipped = skipSpace(text, at);
		if (skipped > at) {
			at = skipped;
			continue;
		}
		const comment = commentEnd(text, at);
		if (comment > at) {
			comments.push({ text: text.slice(at, Math.min(comment, at + 4000)), start: at, end: comment });
			if (start < 0) start = at;
			at = comment;
			continue;
		}
		DELIMITER.lastIndex = at;
		const said = tokens.length === 0 ? DELIMITER.exec(text)?.[1] : undefined;
		if (said !== undefined) {
			delimiter = said;
			at = DELIMITER.lastIndex;
			continue;
		}
		if (start < 0) start = at;
		if (delimiter !== ";" && text.startsWith(delimiter, at)) {
			at += delimiter.length;
			finish(at);
			continue;
		}
		const quoted = quotedEnd(text, at);
		const end = quoted > at ? quoted : wordEnd(text, at, delimiter);
		const token = { text: text.slice(at, Math.min(end, at + 200)), start: at, end };
		if (token.text === delimiter && depth === 0) {
			const rows = hasRows && copiesRows(tokens) ? rowsEnd(text, end) : end;
			// With no end-of-data line left in the text, searching again at each COPY would take quadratic time.
			if (rows === undefined) hasRows = false;
			at = rows ?? end;
			finish(at);
			continue;
		}
		if (isBatchEnd(text, at, end)) finish(at);
		else {
			if (tokens.length < MAX_TOKENS) tokens.push(token);
			const afterEnd = before !== undefined && /^end$/i.test(before.text) && !text.slice(before.end, at).includes("\n");
			depth = Math.max(0, depth + blockDepth(token.text.toUpperCase(), tokens, afterEnd));
			before = token;
		}
		at = end;
	}
	finish(text.length);
	return statements;
}

/** `BEGIN` opens a block only inside a routine; `BEGIN;` and `BEGIN TRANSACTION` are statements of their own. */
function blockDepth(word: string, tokens: readonly SqlToken[], afterEnd: boolean): number {
	// The END of `END IF` was counted as -1 although IF opened nothing, so it is undone; the END of `END CASE` has
	// already closed its CASE.
	if (/^(?:IF|LOOP|WHILE|REPEAT|FOR)$/.test(word)) return afterEnd ? 1 : 0;
	if (word === "CASE") return afterEnd ? 0 : 1;
	if (word === "BEGIN") return isRoutine(tokens) ? 1 : 0;
	if (word === "END") return -1;
	return (word === "AS" || word === "IS") && opensPackage(tokens) ? 1 : 0;
}

/** Whether this is the first AS or IS of Oracle's `CREATE PACKAGE BODY name AS …`. */
function opensPackage(tokens: readonly SqlToken[]): boolean {
	const words = tokens.length < 12 ? tokens.map(({ text }) => text.toUpperCase()) : [];
	return words.includes("PACKAGE") && words.findIndex((word) => word === "AS" || word === "IS") === words.length - 1;
}

function isRoutine(tokens: readonly SqlToken[]): boolean {
	const head = tokens.slice(0, 12).map(({ text }) => text.toUpperCase());
	return (
		/^(?:CREATE|ALTER|REPLACE|DO|DECLARE)$/.test(head[0] ?? "") &&
		head.some((word) => /^(?:FUNCTION|PROCEDURE|PROC|TRIGGER|EVENT|PACKAGE|DO|DECLARE)$/.test(word))
	);
}

function copiesRows(tokens: readonly SqlToken[]): boolean {
	if (tokens[0]?.text.toUpperCase() !== "COPY") return false;
	const from = tokens.findIndex(({ text }) => text.toUpperCase() === "FROM");
	return from > 0 && tokens[from + 1]?.text.toUpperCase() === "STDIN";
}

/** The offset after the `\.` line that ends the data rows; undefined if there is none. */
function rowsEnd(text: string, from: number): number | undefined {
	ROWS_END.lastIndex = from;
	return ROWS_END.test(text) ? ROWS_END.lastIndex : undefined;
}

function isBatchEnd(text: string, start: number, end: number): boolean {
	const word = text.slice(start, end);
	if (word !== "/" && !/^go$/i.test(word)) return false;
	const before = text.lastIndexOf("\n", start - 1);
	const after = text.indexOf("\n", end);
	return text.slice(before + 1, start).trim() === "" && text.slice(end, after < 0 ? text.length : after).trim() === "";
}

function skipSpace(text: string, from: number): number {
	let at = from;
	while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
	return at;
}

function commentEnd(text: string, at: number): number {
	if (text.startsWith("--", at) || (text[at] === "#" && (text[at + 1] === " " || text[at + 1] === "!"))) {
		const end = text.indexOf("\n", at);
		return end < 0 ? text.length : end;
	}
	if (!text.startsWith("/*", at)) return at;
	const end = text.indexOf("*/", at + 2);
	return end < 0 ? text.length : end + 2;
}

function quotedEnd(text: string, at: number): number {
	const quote = text[at];
	if (quote === "$") {
		DOLLAR_TAG.lastIndex = at;
		const tag = DOLLAR_TAG.exec(text)?.[0];
		if (tag === undefined) return at;
		const end = text.indexOf(tag, at + tag.length);
		return end < 0 ? text.length : end + tag.length;
	}
	if (quote !== "'" && quote !== '"' && quote !== "`" && quote !== "[") return at;
	const close = quote === "[" ? "]" : quote;
	for (let end = at + 1; end < text.length; end += 1) {
		if (text[end] === "\\" && quote === "'") end += 1;
		else if (text[end] === close) {
			if (text[end + 1] !== close) return end + 1;
			end += 1;
		}
	}
	return text.length;
}

function wordEnd(text: string, at: number, delimiter: string): number {
	WORD.lastIndex = at;
	const end = WORD.test(text) ? WORD.lastIndex : at + 1;
	const cut = delimiter === ";" ? -1 : text.slice(at, end).indexOf(delimiter);
	return cut > 0 ? at + cut : end;
}
