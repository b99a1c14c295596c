import type { Diagnostic } from "../chunk.ts";
import type { LineIndex } from "../lineIndex.ts";
import { squeeze } from "../tree/nodeText.ts";
import type { Section } from "./sections.ts";

/** Keys of the outermost JSON object, or the elements of the outermost array, in one pass without building values. */
export function topLevelKeys(lines: LineIndex): { keys: Section[]; error: Diagnostic | undefined } {
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
				const name = squeeze(keyName(text.slice(at, end)), 120);
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
