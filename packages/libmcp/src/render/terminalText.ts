import { posix } from "node:path";

/** Text that is safe in one line of porcelain: control characters, line separators and direction marks become escapes. */
export function toPlainText(text: string): string {
	return text.toWellFormed().replace(UNSAFE, escapeCharacter);
}

// Control characters, line and paragraph separators, and invisible characters that can hide or reorder text: direction
// marks, shapeless joiners, and tag characters, which can spell sentences that a model reads and nobody sees. U+200C,
// U+200D and U+FE0F stay, because emoji and some scripts need them.
const UNSAFE =
	/[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeCharacter(character: string): string {
	const short = SHORT[character];
	if (short !== undefined) return short;
	const code = character.codePointAt(0) ?? 0;
	const digits = code.toString(16);
	if (code > 0xffff) return `\\u{${digits}}`;
	return code < 0x100 ? `\\x${digits.padStart(2, "0")}` : `\\u${digits.padStart(4, "0")}`;
}

/** The columns that a text takes on a terminal: 0 for colours and combining marks, 2 for CJK and most emoji. */
export function measureWidth(text: string): number {
	if (PLAIN.test(text)) return text.length;
	const seen = text.replace(COLOUR, "");
	const marks = seen.match(/[\p{Mn}\p{Me}\p{Cf}]/gu)?.length ?? 0;
	return [...seen].length - marks + (seen.match(WIDE)?.length ?? 0);
}

const PLAIN = /^[ -~]*$/;
const ESCAPE = String.fromCharCode(27);
const COLOUR = new RegExp(`${ESCAPE}\\[[\\d;]*m`, "g");
const WIDE =
	/\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/gu;

/** `padEnd` by terminal columns instead of characters. */
export function padText(text: string, width: number): string {
	return text + " ".repeat(Math.max(0, width - measureWidth(text)));
}

/** On a narrower terminal, text is not folded. */
const NARROWEST = 20;
/** Continuation indent when the column starts too far to the right. */
const INDENT = 4;

/** Wraps lines that are too long for the terminal; the rest continues below, under the column it is in. */
export function foldText(text: string, columns: number): string {
	if (columns < NARROWEST) return text;
	return text
		.split("\n")
		.map((line) => (measureWidth(line) <= columns ? line : foldedLine(line, columns)))
		.join("\n");
}

function foldedLine(line: string, columns: number): string {
	const [margin = ""] = /^ */.exec(line) ?? [];
	const head = /^.*\S {2,}(?=\S)/.exec(line)?.[0] ?? margin;
	const isFar = measureWidth(head) > columns / 2;
	const below = " ".repeat(isFar ? INDENT : measureWidth(head));
	const lines = isFar && head !== margin ? [head.trimEnd()] : [];
	let current = isFar ? below : head;
	for (const word of line.slice(head.length).split(" ")) {
		const isFirst = current === head || current === below;
		const longer = isFirst ? `${current}${word}` : `${current} ${word}`;
		if (measureWidth(longer) > columns && current.trim() !== "") {
			lines.push(current.trimEnd());
			current = `${below}${word}`;
		} else current = longer;
	}
	return [...lines, current].join("\n");
}

/** At most `limit` UTF-16 units of the text; the end says how much was cut, and no character is split. */
export function truncateText(text: string, limit: number): string {
	const room = Math.max(0, Math.floor(limit));
	if (text.length <= room) return text;
	// The length of the mark depends on the count, and the count on the cut, so reserve space for the longest mark.
	const mark = (cut: number) => `… [${cut} more characters]`;
	const keep = room - mark(text.length).length;
	if (keep < MIN_KEPT) return `${text.slice(0, boundaryBefore(text, room - 1))}…`.slice(0, room);
	const at = boundaryBefore(text, keep);
	return `${text.slice(0, at)}${mark(text.length - at)}`;
}

// If less text than this would be left, show its start instead of the count.
const MIN_KEPT = 8;

// Created on first use, because it loads the Unicode tables, which most processes never need.
let segmenter: Intl.Segmenter | undefined;

/** The last boundary between user-visible characters at or before `index`. */
function boundaryBefore(text: string, index: number): number {
	if (index <= 0) return 0;
	// Look back no further than this: even flags and emoji families are far shorter.
	const from = Math.max(0, index - 64);
	let boundary = from;
	segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
	for (const { index: start, segment } of segmenter.segment(text.slice(from, index + 64))) {
		const end = from + start + segment.length;
		if (end > index) break;
		boundary = end;
	}
	return boundary > from || from === 0 ? boundary : surrogateBoundary(text, index);
}

/** For a run of joined marks longer than any real character, at least split no surrogate pair. */
function surrogateBoundary(text: string, index: number): number {
	return /[\ud800-\udbff]/.test(text.charAt(index - 1)) ? index - 1 : index;
}

/** A path relative to the root, with `/` on every platform; a path outside the root stays absolute. */
export function renderPath(path: string, root: string): string {
	const target = withSlashes(path);
	const base = withSlashes(root);
	if (!isAbsolute(target)) return posix.normalize(target);
	if (target === base) return ".";
	const prefix = base.endsWith("/") ? base : `${base}/`;
	return target.startsWith(prefix) ? target.slice(prefix.length) : target;
}

function withSlashes(path: string): string {
	const normal = posix.normalize(path.replaceAll("\\", "/")).replace(/^[a-z]:/, (drive) => drive.toUpperCase());
	return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}

function isAbsolute(path: string): boolean {
	return path.startsWith("/") || /^[A-Z]:\//.test(path);
}
