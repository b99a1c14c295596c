import type { Chunk } from "../chunk.ts";
import type { LineIndex } from "../chunkLines.ts";
import { chunkSections, type Section } from "./sections.ts";

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const SETEXT = /^ {0,3}(=+|-+)[ \t]*$/;

const REMARK = /^ {0,3}<!--/;

/**
 * Makes a section per heading, qualified by its parent headings. Headings in fenced code, HTML comments and front
 * matter are plain text.
 */
export function chunkMarkdown(lines: LineIndex): Chunk[] {
	const sections: Section[] = [];
	const above: { level: number; name: string }[] = [];
	let fence = "";
	let remark = false;
	for (let line = frontMatterEnd(lines) + 1; line <= lines.count; line += 1) {
		const text = lines.lineText(line).trimEnd();
		const mark = remark ? undefined : FENCE.exec(text)?.[1];
		if (mark !== undefined && (fence === "" || (mark.startsWith(fence) && text.trim() === mark)))
			fence = fence === "" ? mark : "";
		if (fence !== "") continue;
		const wasRemark = remark;
		if (remark || REMARK.test(text)) remark = !text.includes("-->");
		if (wasRemark || remark) continue;
		const heading = headingAt(lines, line, text);
		if (!heading) continue;
		while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
		above.push(heading);
		sections.push({ line: heading.line, name: heading.name, qualifiedName: above.map(({ name }) => name).join(".") });
	}
	return chunkSections(lines, sections, "section");
}

function headingAt(
	lines: LineIndex,
	line: number,
	text: string,
): { level: number; name: string; line: number } | undefined {
	if (text.length > 400) return undefined;
	const atx = ATX.exec(text);
	if (atx?.[1]) return { level: atx[1].length, name: titleText(atx[2] ?? ""), line };
	const underline = line > 1 ? SETEXT.exec(text)?.[1] : undefined;
	const title = underline === undefined ? "" : lines.lineText(line - 1).trim();
	if (underline === undefined || title === "" || /^(?:[-*+>#|]|\d+\.)/.test(title) || title.length > 200)
		return undefined;
	return { level: underline.startsWith("=") ? 1 : 2, name: titleText(title), line: line - 1 };
}

/** The title as rendered: without anchors and heading ids, and with links replaced by their text. */
function titleText(written: string): string {
	return written
		.replace(/<a\s[^<>]*>\s*<\/a>/g, "")
		.replace(/\s*\{:?\s*(?:[#.]|id=)[^{}]*\}$/, "")
		.replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
		.trim();
}

function frontMatterEnd(lines: LineIndex): number {
	if (lines.lineText(1).trimEnd() !== "---") return 0;
	for (let line = 2; line <= Math.min(lines.count, 200); line += 1)
		if (/^(?:---|\.\.\.)\s*$/.test(lines.lineText(line))) return line;
	return 0;
}
