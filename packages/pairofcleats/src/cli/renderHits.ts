import { plainText } from "libmcp/command";
import { hitNote } from "../query/hitNote.ts";
import type { Hit, SearchResult } from "../query/result.ts";
import { counted } from "./counted.ts";
import { paint, paintError, sourceLine, type Terminal, warn } from "./terminal.ts";

/** Hits for a person: one line each when compact, else with their snippet. */
export function renderHits(result: SearchResult, compact: boolean, explain: boolean, terminal: Terminal): void {
	for (const { message } of result.warnings) warn(terminal, message);
	for (const [index, hit] of result.hits.entries()) {
		if (!compact && index > 0) terminal.out("");
		terminal.out(headline(hit, terminal));
		if (explain && hit.scoreParts) terminal.out(`  ${paint(terminal, "dim", explained(hit))}`);
		if (!compact) for (const line of snippetLines(hit, terminal)) terminal.out(line);
	}
	if (compact) return;
	const { matches, files, searched } = result.totals;
	const more = result.hasMore ? "; more with --offset" : "";
	const took = `${result.timings.total.toFixed(1)} ms`;
	const found =
		matches === 0
			? `nothing found (${searched} searched, ${took})`
			: `${result.hits.length} of ${counted(matches, "chunk")} in ${counted(files, "file")} (${searched} searched, ${took})${more}`;
	terminal.error(paintError(terminal, "dim", `\n${found}`));
}

function headline(hit: Hit, terminal: Terminal): string {
	const place = `${paint(terminal, "cyan", plainText(hit.path))}:${hit.startLine}-${hit.endLine}`;
	const name = plainText(hit.qualifiedName || hit.name);
	const what = hit.name === "" ? hit.kind : `${hit.kind} ${paint(terminal, "bold", name)}`;
	const copies = hit.duplicates
		? ` (+${hit.duplicates.length} ${hit.duplicates.length === 1 ? "copy" : "copies"})`
		: "";
	const near = isFoundByMeaning(hit) ? " (near in meaning)" : "";
	return `${place}  ${what}${hitNote(hit)}${copies}${near}`;
}

/** Whether vectors alone found the file of a hit. If that is so for all hits, a warning says it instead. */
function isFoundByMeaning({ snippet, scoreParts }: Hit): boolean {
	if (snippet.matched.length > 0 || scoreParts === undefined) return false;
	const { words, path, definition } = scoreParts;
	return words === 0 && path === 0 && definition === 0;
}

function explained(hit: Hit): string {
	const parts = Object.entries(hit.scoreParts ?? {}).filter(([, value]) => value !== 0);
	return `${hit.score} = ${parts.map(([name, value]) => `${name} ${value}`).join(" + ")}`;
}

function snippetLines(hit: Hit, terminal: Terminal): string[] {
	const { startLine, lines, matched } = hit.snippet;
	const width = String(startLine + lines.length).length;
	return lines.map((text, index) => {
		const line = startLine + index;
		const hitLine = matched.includes(line);
		const number = String(line).padStart(width);
		return `  ${paint(terminal, hitLine ? "green" : "dim", number)} ${hitLine ? ">" : " "} ${sourceLine(text)}`;
	});
}
