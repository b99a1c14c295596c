import { maskFormats } from "../../contract/maskFormats.ts";
import type { UpstreamSpec } from "../spec.ts";
import { collectSecrets } from "./configuredSecrets.ts";
import { listForms, MASK, maskForms } from "./maskSecrets.ts";

/** From this length on, the end of a line that begins a secret is masked before the next line tells whether it goes on. */
const SHORTEST_BEGINNING = 6;
const MOST_KEY_LINES = 200;
const KEY_BEGIN = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/;
const KEY_END = /-----END [A-Z ]{0,30}PRIVATE KEY-----/;
const KEY_LINE = /^[\w\s+/=\\:,-]*$/;

/**
 * Masks what a server prints, line after line. A secret may be spread over lines: where the server printed it in pieces,
 * where a line that is too long was cut, or because it is a key of several lines.
 */
export function createLineMasker(spec: UpstreamSpec): (line: string) => string {
	const forms = listForms(collectSecrets(spec));
	const longest = forms[0]?.length ?? 0;
	/** The end of what was printed before, as it was. */
	let before = "";
	let keyLinesLeft = 0;
	return (line) => {
		const isOfKey = keyLinesLeft > 0 && KEY_LINE.test(line);
		if (KEY_BEGIN.test(line.split(KEY_END).at(-1) ?? "")) keyLinesLeft = MOST_KEY_LINES;
		else keyLinesLeft = isOfKey && !KEY_END.test(line) ? keyLinesLeft - 1 : 0;
		const continued = Math.max(0, ...forms.map((form) => continuedAtStart(before, line, form)));
		const begun = Math.max(0, ...forms.map((form) => begunAtEnd(line, form)));
		before = (before + line).slice(-longest);
		if (isOfKey) return MASK;
		const end = Math.max(continued, line.length - begun);
		const middle = maskFormats(maskForms(line.slice(continued, end), forms), MASK);
		return `${continued > 0 ? MASK : ""}${middle}${end < line.length ? MASK : ""}`;
	};
}

/** How many characters of the line are the rest of a secret that the text before it has begun. */
function continuedAtStart(before: string, line: string, secret: string): number {
	const begun = begunAtEnd(before, secret);
	if (begun > 0) {
		const piece = secret.slice(begun, begun + line.length);
		if (line.startsWith(piece)) return piece.length;
	}
	// A shorter beginning could be any word, so the line must have all the rest.
	for (let length = 1; length < Math.min(SHORTEST_BEGINNING, secret.length); length++) {
		const rest = secret.slice(length);
		if (line.startsWith(rest) && before.endsWith(secret.slice(0, length))) return rest.length;
	}
	return 0;
}

/** How many characters of a secret the text ends with, if they are enough to tell. */
function begunAtEnd(text: string, secret: string): number {
	const beginning = secret.slice(0, SHORTEST_BEGINNING);
	const first = Math.max(0, text.length - secret.length + 1);
	for (let at = text.indexOf(beginning, first); at >= 0; at = text.indexOf(beginning, at + 1))
		if (secret.startsWith(text.slice(at))) return text.length - at;
	return 0;
}
