import type { Chunk, ChunkFacts } from "../../src/parse/chunk.ts";
import { readSearchRequest, type SearchRequest } from "../../src/query/request.ts";

/** A chunk from the parser with the data about its file: everything that a filter may use. */
export type Known = {
	readonly path: string;
	readonly language: string;
	readonly imports: readonly string[];
	readonly errorLines: readonly number[];
	readonly author: string;
	readonly modifiedMs: number;
	readonly churn: number;
	readonly chunk: Chunk;
	/** Fields of a record. */
	readonly record?: unknown;
};

/** Whether a request's filters keep a chunk, derived from their description alone, without the index. */
export function keeps(input: object, known: Known, nowMs: number): boolean {
	const request = readSearchRequest(input);
	return Object.entries(RULES).every(([name, rule]) => {
		const value = Reflect.get(request, name);
		return value === undefined || rule(value as never, known, request, nowMs);
	});
}

type Rule = (value: never, known: Known, request: SearchRequest, nowMs: number) => boolean;

const RULES: Readonly<Partial<Record<keyof SearchRequest, Rule>>> = {
	type: list((wanted, { chunk }) => wanted.toLowerCase() === chunk.kind),
	lang: list((wanted, { language }) => (ALIASES[wanted.toLowerCase()] ?? wanted.toLowerCase()) === language),
	author: (value: string, { author }) => includes(author, value),
	modifiedAfter: (value: string, { modifiedMs }) => modifiedMs >= new Date(value).getTime(),
	modifiedSince: (days: number, { modifiedMs }, _, nowMs) => modifiedMs >= nowMs - days * 24 * 3600 * 1000,
	churnMin: (least: number, { churn }) => churn >= least,
	import: (value: string, { imports }) => imports.includes(value),
	calls: (value: string, { chunk }) =>
		(chunk.facts?.calls ?? []).some((call) => [call, call.split(".").at(-1)].includes(uncalled(value))),
	uses: (value: string, { chunk }) =>
		[
			...(chunk.facts?.uses ?? []),
			...(chunk.facts?.calls ?? []).flatMap((call) => [call, call.split(".").at(-1)]),
		].includes(value),
	param: (value: string, { chunk }) => (chunk.facts?.params ?? []).includes(value),
	signature: part(({ signature }) => [signature]),
	decorator: part(({ decorators }) => decorators, undecorated),
	inferredType: part(({ inferredTypes }) => inferredTypes),
	returnType: part(({ returnType }) => [returnType]),
	throws: part(({ throws }) => throws),
	reads: part(({ reads }) => reads),
	writes: part(({ writes }) => writes),
	mutates: part(({ mutates }) => mutates),
	alias: part(({ aliases }) => aliases),
	awaits: part(({ awaits }) => awaits, uncalled),
	risk: part(({ risk }) => risk?.tags),
	riskTag: part(({ risk }) => risk?.tags),
	riskSource: part(({ risk }) => risk?.sources),
	riskSink: part(({ risk }) => risk?.sinks),
	riskCategory: part(({ risk }) => risk?.categories),
	riskFlow: part(({ risk }) => risk?.flows),
	visibility: part(({ visibility }) => [visibility]),
	extends: type((facts) => [...(facts.extends ?? []), ...(facts.implements ?? [])]),
	branchesMin: least(({ branches }) => branches),
	loopsMin: least(({ loops }) => loops),
	breaksMin: least(({ breaks }) => breaks),
	continuesMin: least(({ continues }) => continues),
	async: same((facts) => facts.async),
	generator: same((facts) => facts.generator),
	returns: same((facts) => facts.returns),
	lint: (wanted: boolean, { chunk, errorLines }) =>
		errorLines.some((line) => line >= chunk.startLine && line <= chunk.endLine) === wanted,
	branch: (value: string, _, request) => (request.case === true ? value : value.toLowerCase()) === "trunk",
	path: (values: readonly string[], { path }, request) =>
		values.some((value) => matchesPath(path, value, request.case === true || request.caseFile === true)),
	file: (values: readonly string[], { path }, request) =>
		values.some((value) => {
			const named = value.slice(1, -1).includes("/") || /^\/[^/]*$|^[^/]*\/$/.test(value);
			const name = path.split("/").at(-1) ?? "";
			return matchesPath(named ? path : name, value, request.case === true || request.caseFile === true);
		}),
	ext: (values: readonly string[], { path }) =>
		values
			.flatMap((value) => value.split(","))
			.map((value) => value.trim().replace(/^\*?\.?/, ""))
			.some(
				(value) => value !== "" && (path.split("/").at(-1) ?? "").toLowerCase().endsWith(`.${value.toLowerCase()}`),
			),
	meta: fields,
	metaJson: fields,
};

const ALIASES: Readonly<Record<string, string>> = {
	ts: "typescript",
	js: "javascript",
	py: "python",
	rs: "rust",
	"c#": "csharp",
	rb: "ruby",
	md: "markdown",
};

function list(one: (wanted: string, known: Known) => boolean): Rule {
	return (value: string, known) =>
		value
			.split(",")
			.map((wanted) => wanted.trim())
			.some((wanted) => wanted !== "" && one(wanted, known));
}

function undecorated(value: string): string {
	return value.length > 1 && value.startsWith("@") ? value.slice(1) : value;
}

function uncalled(value: string): string {
	return value.length > 2 && value.endsWith("()") ? value.slice(0, -2) : value;
}

function part(
	of: (facts: ChunkFacts) => readonly (string | undefined)[] | undefined,
	bare = (value: string) => value,
): Rule {
	return (value: string, { chunk }) =>
		(of(chunk.facts ?? {}) ?? []).some((fact) => fact !== undefined && includes(fact, bare(value)));
}

/** The whole name, with or without its namespace and type arguments. */
function type(of: (facts: ChunkFacts) => readonly string[]): Rule {
	return (value: string, { chunk }) =>
		of(chunk.facts ?? {}).some((fact) => {
			const whole = fact.toLowerCase();
			const bare = whole.split(/[<[({]/)[0]?.trim() ?? "";
			return [whole, bare, ...["::", ".", "\\"].map((mark) => bare.split(mark).at(-1))].includes(value.toLowerCase());
		});
}

function least(of: (facts: ChunkFacts) => number | undefined): Rule {
	return (value: number, { chunk }) => {
		const count = of(chunk.facts ?? {});
		return count !== undefined && count >= value;
	};
}

function same(of: (facts: ChunkFacts) => boolean | undefined): Rule {
	return (value: boolean, { chunk }) => of(chunk.facts ?? {}) === value;
}

function includes(whole: string, wanted: string): boolean {
	return whole.normalize("NFC").toLowerCase().includes(wanted.normalize("NFC").toLowerCase());
}

/** Regular expressions and substrings only; globs have rows of their own. */
function matchesPath(path: string, value: string, caseSensitive: boolean): boolean {
	const regex = /^\/(.+)\/$/.exec(value)?.[1];
	if (regex !== undefined) return new RegExp(regex, caseSensitive ? "" : "i").test(path);
	const wanted = value.replace(/^\.\//, "").normalize("NFC");
	return caseSensitive ? path.normalize("NFC").includes(wanted) : includes(path, wanted);
}

function fields(pairs: readonly string[], { record }: Known): boolean {
	return (
		record !== undefined &&
		pairs.every((pair) => {
			const [key = "", ...rest] = pair.split("=");
			const values = valuesAt(record, key.trim().toLowerCase().split("."));
			const wanted = rest.join("=").trim();
			return values.some((value) => includes(String(value), wanted));
		})
	);
}

/** All scalar values at a key or below it. */
function valuesAt(record: unknown, keys: readonly string[]): unknown[] {
	if (record === null || record === undefined) return [];
	if (Array.isArray(record)) return record.flatMap((item) => valuesAt(item, keys));
	if (typeof record !== "object") return keys.length === 0 ? [record] : [];
	return Object.entries(record).flatMap(([name, value]) => {
		if (keys.length === 0) return valuesAt(value, []);
		return name.toLowerCase() === keys[0] ? valuesAt(value, keys.slice(1)) : [];
	});
}
