import { stripQuotes } from "../tree/nodeText.ts";
import { type SqlStatement, type SqlToken, splitSqlStatements } from "./sqlStatements.ts";

export type SqlTables = { readonly reads: Set<string>; readonly writes: Set<string> };

/** Functions with a `FROM` among their arguments: `extract(year FROM day)`. */
const FROM_INSIDE = /^(?:EXTRACT|TRIM|SUBSTRING|OVERLAY)$/;

/** Tables read and written, judged by the keyword before each name; also looks into dollar-quoted function bodies. */
export function findTables({ tokens }: SqlStatement, text: string, nested = false): SqlTables {
	const tables: SqlTables = { reads: new Set(), writes: new Set() };
	const recursive = tokens.some((token) => wordOf(token) === "RECURSIVE");
	/** The names of subqueries, `WITH name AS (…)`, which are no tables. */
	const subqueries = new Set<string>();
	const closed = closings(tokens);
	const routine = nested || createsRoutine(tokens);
	const copied = copiedInto(tokens, closed);
	const open: { readonly before: string; readonly subquery: string }[] = [];
	/** Whether the statement is one whose `USING` names tables. */
	let removing = false;
	const read = (names: readonly string[]): void => {
		for (const name of names) if (!subqueries.has(name.toLowerCase())) tables.reads.add(name);
	};
	const write = (names: readonly string[]): void => {
		for (const name of names) tables.writes.add(name);
	};
	tokens.forEach((token, index) => {
		if (token.text.startsWith("$") && !nested) {
			const body = text.slice(token.start, token.end).replace(/^\$\w*\$|\$\w*\$$/g, "");
			for (const statement of splitSqlStatements(body)) {
				const inner = findTables(statement, body, true);
				for (const name of inner.reads) tables.reads.add(name);
				for (const name of inner.writes) tables.writes.add(name);
			}
			return;
		}
		const before = wordOf(tokens[index - 1]);
		if (/^(?:DELETE|MERGE)$/.test(wordOf(token))) removing = true;
		else if (/^(?:SELECT|EXECUTE)$/.test(wordOf(token))) removing = false;
		switch (wordOf(token)) {
			case "(": {
				const subquery = subqueryAt(tokens, index);
				open.push({ before, subquery });
				// Before its end, only a recursive one means itself by its name.
				if (recursive) subqueries.add(subquery);
				break;
			}
			case ")":
				subqueries.add(open.pop()?.subquery ?? "");
				break;
			case "FROM":
				if (copied && index === copied.from) write(copied.names);
				else if (before === "DELETE") write(tableAt(tokens, index + 1));
				else if (before !== "DISTINCT" || !/^(?:IS|NOT)$/.test(wordOf(tokens[index - 2]))) {
					if (!FROM_INSIDE.test(open.at(-1)?.before ?? "")) read(tablesAt(tokens, index + 1, closed));
				}
				break;
			case "JOIN":
				read(tablesAt(tokens, index + 1, closed).slice(0, 1));
				break;
			case "USING":
				// Elsewhere a method, values or an expression follow: `USING btree`, `EXECUTE … USING id`.
				if (removing && wordOf(tokens[index + 1]) !== "(") read(tablesAt(tokens, index + 1, closed));
				break;
			case "REFERENCES":
				read(tableAt(tokens, index + 1));
				break;
			case "INTO":
				// In a routine, a query fills variables: `SELECT count(*) INTO total FROM orders`.
				if (!routine || inserts(tokens, index)) write(tableAt(tokens, index + 1));
				break;
			case "UPDATE":
				if (!/^(?:SET|ON|OF|OR|AS)$/.test(wordOf(tokens[index + 1]))) write(tableAt(tokens, index + 1));
				break;
			case "TRUNCATE":
				if (!/^(?:ON|OR|\()$/.test(wordOf(tokens[index + 1]))) write(tablesAt(tokens, index + 1, closed));
				break;
			case "TABLE":
				if (before === "DROP") write(tablesAt(tokens, index + 1, closed));
				else if (before === "ALTER") write(tablesAt(tokens, index + 1, closed).slice(0, 1));
				break;
		}
	});
	return tables;
}

function wordOf(token: SqlToken | undefined): string {
	return token?.text.toUpperCase() ?? "";
}

function createsRoutine(tokens: readonly SqlToken[]): boolean {
	const head = tokens.slice(0, 16).map(wordOf);
	const kind = head.find((word) => /^(?:TABLE|VIEW|PROCEDURE|PROC|FUNCTION|TRIGGER|PACKAGE|EVENT)$/.test(word));
	return /^(?:CREATE|ALTER)$/.test(head[0] ?? "") && kind !== undefined && !/^(?:TABLE|VIEW)$/.test(kind);
}

/** Whether the `INTO` at a place names a table in any dialect: `INSERT IGNORE INTO t`, `LOAD DATA … INTO TABLE t`. */
function inserts(tokens: readonly SqlToken[], into: number): boolean {
	const before = tokens.slice(Math.max(0, into - 3), into).map(wordOf);
	return before.some((word) => /^(?:INSERT|MERGE|REPLACE)$/.test(word)) || wordOf(tokens[into + 1]) === "TABLE";
}

/** The table of `COPY users (id) FROM stdin`, and the place of its `FROM`, which no table follows. */
function copiedInto(
	tokens: readonly SqlToken[],
	closed: ReadonlyMap<number, number>,
): { readonly names: readonly string[]; readonly from: number } | undefined {
	if (wordOf(tokens[0]) !== "COPY" || /^(?:INTO|\()$/.test(wordOf(tokens[1]))) return undefined;
	const { end } = nameAt(tokens, 1);
	const from = closed.get(end) ?? end;
	return wordOf(tokens[from]) === "FROM" ? { names: tableAt(tokens, 1), from } : undefined;
}

/** `recent` at the parenthesis of `recent (id) AS MATERIALIZED (SELECT …)`, in lower case; "" at any other. */
function subqueryAt(tokens: readonly SqlToken[], open: number): string {
	if (!/^(?:SELECT|WITH|VALUES|INSERT|UPDATE|DELETE|MERGE|TABLE|\()$/.test(wordOf(tokens[open + 1]))) return "";
	let at = open - 1;
	while (/^(?:NOT|MATERIALIZED)$/.test(wordOf(tokens[at]))) at -= 1;
	if (wordOf(tokens[at]) !== "AS") return "";
	at -= 1;
	if (wordOf(tokens[at]) === ")") while (at >= 0 && wordOf(tokens[at + 1]) !== "(") at -= 1;
	return stripQuotes(tokens[at]?.text ?? "").toLowerCase();
}

/** The table named at a token, with its qualifiers: `public.users`, `ONLY users`; empty if there is none. */
function tableAt(tokens: readonly SqlToken[], at: number): readonly string[] {
	const { name } = nameAt(tokens, /^(?:ONLY|TABLE)$/.test(wordOf(tokens[at])) ? at + 1 : at);
	return isName(name) ? [name] : [];
}

/** The tables of a list: `a, public.b AS c, (SELECT …) d, e`. A call in it, `unnest(f)`, is no table. */
function tablesAt(tokens: readonly SqlToken[], from: number, closed: ReadonlyMap<number, number>): string[] {
	const names: string[] = [];
	for (let at = from; at < tokens.length; at += 1) {
		while (/^(?:ONLY|LATERAL|TABLE|IF|EXISTS)$/.test(wordOf(tokens[at]))) at += 1;
		const { name, end } = nameAt(tokens, at);
		if (/^(?:SELECT|FROM|JOIN|TRUNCATE)$/i.test(name)) break;
		const isCall = wordOf(tokens[end]) === "(";
		if (isName(name) && !isCall) names.push(name);
		// The first table of a join in parentheses; tables of a subquery are behind a `FROM` of its own.
		const inside = name === "(" ? nameAt(tokens, at + 1).name : "";
		if (isName(inside) && !/^(?:SELECT|WITH|VALUES)$/i.test(inside)) names.push(inside);
		const open = isCall ? end : name === "(" ? at : -1;
		at = open < 0 ? end : (closed.get(open) ?? tokens.length);
		if (wordOf(tokens[at]) === "AS") at += 1;
		if (isName(tokens[at]?.text ?? "") || /^["`[]/.test(tokens[at]?.text ?? "")) at += 1;
		if (wordOf(tokens[at]) === "(") at = closed.get(at) ?? tokens.length;
		if (wordOf(tokens[at]) !== ",") break;
	}
	return names;
}

/** By the place of each parenthesis that opens, the place after the one that closes it. */
function closings(tokens: readonly SqlToken[]): ReadonlyMap<number, number> {
	const places = new Map<number, number>();
	const open: number[] = [];
	for (const [at, { text }] of tokens.entries()) {
		if (text === "(") open.push(at);
		else if (text === ")") places.set(open.pop() ?? -1, at + 1);
	}
	return places;
}

function isName(text: string): boolean {
	return /^[\p{L}_]/u.test(text);
}

/** The name at a token with its qualifiers, and the place after it. */
function nameAt(tokens: readonly SqlToken[], from: number): { readonly name: string; readonly end: number } {
	const path = [stripQuotes(tokens[from]?.text ?? "")];
	let end = from + 1;
	for (; tokens[end]?.text === "." && path.length < 4; end += 2) path.push(stripQuotes(tokens[end + 1]?.text ?? ""));
	return { name: path.map((name) => name.replace(/^\[|\]$/g, "")).join("."), end };
}
