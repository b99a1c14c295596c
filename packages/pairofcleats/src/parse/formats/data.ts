import { parse as parseToml, TomlError } from "smol-toml";
import { isMap, isScalar, parseAllDocuments } from "yaml";
import type { Chunk, Diagnostic } from "../chunk.ts";
import { chunkLines } from "../chunkLines.ts";
import type { LineIndex } from "../lineIndex.ts";
import { squeeze } from "../tree/nodeText.ts";
import { groupedChunks, type Section } from "./sections.ts";
import { tomlKeys } from "./tomlKeys.ts";
import { topLevelKeys } from "./topLevelKeys.ts";
import { yamlKeys } from "./yamlKeys.ts";

export type DataChunks = { readonly chunks: Chunk[]; readonly errors: readonly Diagnostic[] };

/** Larger files are chunked by lines instead; parsing them gains nothing. */
const MAX_PARSED = 300_000;
/** Longer YAML files are lock files or exports, and parsing YAML is too slow to be worth it for those. */
const MAX_PARSED_YAML = 100_000;
const MAX_ERRORS = 20;

/** Makes a chunk per run of top-level keys. The scanner also accepts comments and trailing commas (JSONC, JSON5). */
export function chunkJson(lines: LineIndex): DataChunks {
	const { keys, error } = topLevelKeys(lines);
	return { chunks: byKeys(lines, keys), errors: error ? [error] : [] };
}

export function chunkYaml(lines: LineIndex): DataChunks {
	if (lines.text.length > MAX_PARSED_YAML) {
		const found = yamlKeys(lines).map(({ line, name }) => section(line, name));
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
			if (isScalar(key) && key.range) keys.push(section(lines.lineAt(key.range[0]), String(key.value)));
		}
	}
	return { chunks: byKeys(lines, byDocument(lines, keys)), errors };
}

export function chunkToml(lines: LineIndex): DataChunks {
	const keys = tomlKeys(lines).map(({ line, name }) => section(line, name));
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
	return keys.length === 0 ? chunkLines(lines.text) : groupedChunks(lines, keys, "property");
}

export function section(line: number, name: string): Section {
	const short = squeeze(name, 120);
	return { line, name: short, qualifiedName: short };
}

function diagnostic(line: number, message: string): Diagnostic {
	return { line, rule: "parse-error", message: squeeze(message, 200) };
}
