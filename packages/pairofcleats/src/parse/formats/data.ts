import { parse as parseToml, TomlError } from "smol-toml";
import { isMap, isScalar, parseAllDocuments } from "yaml";
import type { Chunk, Diagnostic } from "../chunk.ts";
import { chunkLines, type LineIndex } from "../chunkLines.ts";
import { shortenText } from "../tree/nodeText.ts";
import { listTomlKeys, listYamlKeys } from "./keys.ts";
import { groupChunks, type Section } from "./sections.ts";

type DataChunks = { readonly chunks: Chunk[]; readonly errors: readonly Diagnostic[] };

/** Larger files are chunked by lines instead; parsing them gains nothing. */
const MAX_PARSED = 300_000;
/** Longer YAML files are lock files or exports, and parsing YAML is too slow to be worth it for those. */
const MAX_PARSED_YAML = 100_000;
const MAX_ERRORS = 20;

/** Makes a chunk per run of top-level keys. The scanner also accepts comments and trailing commas (JSONC, JSON5). */
export function chunkJson(lines: LineIndex): DataChunks {
	const { keys, error } = listTopLevelKeys(lines);
	return { chunks: byKeys(lines, keys), errors: error ? [error] : [] };
}

export function chunkYaml(lines: LineIndex): DataChunks {
	if (lines.text.length > MAX_PARSED_YAML) {
		const found = listYamlKeys(lines).map(({ line, name }) => makeSection(line, name));
		return { chunks: byKeys(lines, byDocument(lines, found)), errors: [] };
	}
	const keys: Section[] = [];
	const errors: Diagnostic[] = [];
	// Parses to nodes without expanding aliases, so no document can grow beyond its text.
	for (const document of parseAllDocuments(lines.text, { logLevel: "silent", uniqueKeys: false })) {
		for (const error of document.errors.slice(0, MAX_ERRORS - errors.length)) {
			errors.push(diagnostic(lines.lineAt(error.pos[0]), error.message));
		}
		if (!isMap(document.contents)) continue;
		for (const { key } of document.contents.items) {
			if (isScalar(key) && key.range) keys.push(makeSection(lines.lineAt(key.range[0]), String(key.value)));
		}
	}
	return { chunks: byKeys(lines, byDocument(lines, keys)), errors };
}

export function chunkToml(lines: LineIndex): DataChunks {
	const keys = listTomlKeys(lines).map(({ line, name }) => makeSection(line, name));
	return { chunks: byKeys(lines, keys), errors: tomlErrors(lines.text) };
}

function tomlErrors(text: string): Diagnostic[] {
	if (text.length > MAX_PARSED) return [];
	try {
		parseToml(text);
		return [];
	} catch (error) {
		return error instanceof TomlError ? [diagnostic(error.line, error.message)] : [];
	}
}

/** Marks the first key of each document after the first; what is above it, below the `---`, belongs to it. */
function byDocument(lines: LineIndex, keys: readonly Section[]): Section[] {
	return keys.map((key, index) => {
		const last = keys[index - 1]?.line;
		if (last === undefined) return key;
		let opens = key.line;
		for (let line = key.line; line > last; line -= 1) {
			const text = lines.lineText(line);
			if (/^---(?:\s|$)/.test(text)) return { ...key, opens };
			if (text.trim() !== "") opens = line;
		}
		return key;
	});
}

function byKeys(lines: LineIndex, keys: readonly Section[]): Chunk[] {
	return keys.length === 0 ? chunkLines(lines.text) : groupChunks(lines, keys, "property");
}

function makeSection(line: number, name: string): Section {
	const short = shortenText(name, 120);
	return { line, name: short, qualifiedName: short };
}

function diagnostic(line: number, message: string): Diagnostic {
	return { line, rule: "parse-error", message: shortenText(message, 200) };
}

/** Keys of the outermost JSON object, or the elements of the outermost array, in one pass without building values. */
function listTopLevelKeys(lines: LineIndex): { keys: Section[]; error: Diagnostic | undefined } {
	const { text } = lines;
	const keys: Section[] = [];
	const open: string[] = [];
	let expectsKey = false;
	const problem = (at: number, message: string): { keys: Section[]; error: Diagnostic } => ({
		keys,
		error: { line: lines.lineAt(Math.min(at, text.length)), rule: "parse-error", message },
	});
	for (let at = 0; at < text.length; ) {
		const char = text[at];
		const key = expectsKey && open.length === 1 && open[0] === "{";
		const end = char === '"' || char === "'" ? stringEnd(text, at, char) : key ? wordEnd(text, at) : at;
		if (end < 0) return problem(at, "a string is never closed");
		if (end > at) {
			if (key) {
				const name = shortenText(keyName(text.slice(at, end)), 120);
				keys.push({ line: lines.lineAt(at), name, qualifiedName: name });
				expectsKey = false;
			}
			at = end;
			continue;
		}
		if (char === "/" && (text[at + 1] === "/" || text[at + 1] === "*")) {
			const end = text[at + 1] === "/" ? text.indexOf("\n", at) : text.indexOf("*/", at + 2) + 2;
			if (end < at) break;
			at = end;
			continue;
		}
		if (char === "{" || char === "[") {
			if (open.length === 1 && open[0] === "[" && char === "{") {
				const name = `[${keys.length}]`;
				keys.push({ line: lines.lineAt(at), name, qualifiedName: name });
			}
			open.push(char);
			expectsKey = char === "{";
		} else if (char === "}" || char === "]") {
			if (open.pop() !== (char === "}" ? "{" : "[")) return problem(at, `“${char}” closes nothing that is open`);
		} else if (char === "," && open.length === 1) expectsKey = true;
		at += 1;
	}
	if (open.length > 0) return problem(text.length, `“${open.at(-1)}” is never closed`);
	return { keys, error: undefined };
}

function stringEnd(text: string, start: number, quote: string): number {
	const closing = quote.charCodeAt(0);
	for (let at = start + 1; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		if (code === 92) at += 1;
		else if (code === closing) return at + 1;
		else if (code === 10) return -1;
	}
	return -1;
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;

/** JSON5 allows unquoted keys. */
function wordEnd(text: string, start: number): number {
	WORD.lastIndex = start;
	return WORD.test(text) ? WORD.lastIndex : start;
}

function keyName(written: string): string {
	const bare = /^["']/.test(written) ? written.slice(1, -1) : written;
	if (!bare.includes("\\") || !written.startsWith('"')) return bare;
	try {
		return String(JSON.parse(written));
	} catch {
		return bare;
	}
}

const NAME_KEYS = ["id", "recordId", "name", "title", "key", "_id"] as const;
const MAX_BAD_RECORDS = 20;
const MAX_LINE = 1_000_000;

/** Makes a chunk per line of a JSON Lines file. */
export function chunkRecords(lines: LineIndex): DataChunks {
	const chunks: Chunk[] = [];
	const errors: Diagnostic[] = [];
	for (let line = 1; line <= lines.count; line += 1) {
		const text = lines.lineText(line).trim();
		if (text === "") continue;
		const name = recordName(text);
		if (name === undefined && errors.length < MAX_BAD_RECORDS)
			errors.push({ line, rule: "parse-error", message: "the line is not one JSON value" });
		const start = lines.startOf(line);
		chunks.push({
			startLine: line,
			endLine: line,
			start,
			end: lines.endOf(line),
			kind: "record",
			name: name ?? "",
			qualifiedName: name ?? "",
		});
	}
	return { chunks, errors };
}

function recordName(text: string): string | undefined {
	if (text.length > MAX_LINE) return "";
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value !== "object" || value === null) return "";
		for (const key of NAME_KEYS) {
			const found: unknown = Reflect.get(value, key);
			if (typeof found === "string" || typeof found === "number") return String(found).slice(0, 120);
		}
		return "";
	} catch {
		return undefined;
	}
}
