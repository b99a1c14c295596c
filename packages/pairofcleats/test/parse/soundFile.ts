import assert from "node:assert/strict";
import type { ParsedFile } from "../../src/parse/chunk.ts";
import { parseFile } from "../../src/parse/parseFile.ts";

/** Parses a text that must have no errors. */
export async function parsed(path: string, text: string): Promise<ParsedFile> {
	const file = await parseFile(path, text);
	assert.deepEqual(file.parseErrors, []);
	return file;
}

/** `3 property size` for each symbol. */
export function symbols({ chunks }: ParsedFile): string[] {
	return chunks.flatMap((chunk) => chunk.symbols ?? []).map(({ kind, name, line }) => `${line} ${kind} ${name}`);
}

/** `3-7 function A.add` for each chunk with a name, including its members. */
export function named({ chunks }: ParsedFile): string[] {
	return chunks
		.filter(({ name }) => name !== "")
		.map((chunk) => `${chunk.startLine}-${chunk.extentEndLine ?? chunk.endLine} ${chunk.kind} ${chunk.qualifiedName}`);
}
