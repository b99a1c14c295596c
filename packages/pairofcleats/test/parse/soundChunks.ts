import assert from "node:assert/strict";
import type { ParsedFile } from "../../src/parse/chunk.ts";

/** Chunks in order, inside the text, and with every line that says something in one of them. */
export function assertSound(path: string, text: string, parsed: ParsedFile): void {
	const lines = text.split("\n");
	let before = 0;
	const covered = new Set<number>();
	for (const chunk of parsed.chunks) {
		const at = `${path}: ${JSON.stringify({ ...chunk, facts: undefined })} in ${JSON.stringify(text.slice(0, 200))}`;
		assert.ok(chunk.start >= before && chunk.end >= chunk.start && chunk.end <= text.length, `overlap ${at}`);
		assert.ok(chunk.startLine >= 1 && chunk.endLine >= chunk.startLine && chunk.endLine <= lines.length, `lines ${at}`);
		before = chunk.end;
		for (let line = chunk.startLine; line <= chunk.endLine; line += 1) covered.add(line);
	}
	lines.forEach((line, index) => {
		const matters =
			/[\p{L}\p{N}]/u.test(line) &&
			!/^(?:\s|[^\p{L}\p{N}\s<]|(?:end(?:[ \t]+\w+(?=\s*$))?|fi|done|esac)\b|<\/[\w:-]+\s*>)*$/u.test(
				line.slice(0, 5000),
			);
		if (matters)
			assert.ok(
				covered.has(index + 1),
				`${path}: line ${index + 1} is in no chunk: ${JSON.stringify(text.slice(0, 300))}`,
			);
	});
}
