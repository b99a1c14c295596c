import { isObject, mapTexts } from "../../contract/json.ts";
import { maskFormats } from "../../contract/maskFormats.ts";
import type { UpstreamFailure } from "../failure/failure.ts";
import type { UpstreamSpec } from "../spec.ts";
import { collectSecrets } from "./configuredSecrets.ts";

/** Shorter values are not secrets, and masking them would remove ordinary words. */
const SHORTEST = 6;
/** A line of a secret of several lines, such as a key, is masked by itself from this length on. */
const SHORTEST_LINE = 16;
const SHORTEST_BEGINNING = 3;
const CUT = "…";
const MASK = "[secret]";

/** Masks our secrets in a text that a server wrote. */
export function maskSecrets(text: string, secrets: readonly unknown[]): string {
	return maskForms(text, listForms(secrets));
}

/** Every form in which a server may write these secrets, the longest first. */
function listForms(secrets: readonly unknown[]): readonly string[] {
	const forms = secrets
		.filter((secret) => typeof secret === "string")
		.filter((secret) => secret.length >= SHORTEST)
		// As it is, in an address, in JSON, and encoded.
		.flatMap((secret) => [
			secret,
			encodeURIComponent(secret.toWellFormed()),
			JSON.stringify(secret).slice(1, -1),
			...linesOf(secret),
			...base64Forms(secret),
			Buffer.from(secret).toString("hex"),
		]);
	return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Masks these forms of secrets in a text. */
function maskForms(text: string, forms: readonly string[]): string {
	return withoutCutSecret(
		forms.reduce((cleaned, form) => cleaned.replaceAll(form, MASK), text),
		forms,
	);
}

function linesOf(secret: string): string[] {
	const lines = secret.split(/\r?\n/);
	return lines.length === 1 ? [] : [lines.join(""), ...lines.filter((line) => line.length >= SHORTEST_LINE)];
}

/** What is the same wherever the secret stands in an encoded text, as in `user:password`: its bytes may begin at any of three places. */
function base64Forms(secret: string): string[] {
	const bytes = Buffer.from(secret);
	return [0, 1, 2].flatMap((before) => {
		const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
		const own = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
		return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
	});
}

/** Long messages are cut before they come here, and that may have been in the middle of a secret. */
function withoutCutSecret(text: string, forms: readonly string[]): string {
	if (!text.endsWith(CUT)) return text;
	const said = text.slice(0, -CUT.length);
	const begun = Math.max(0, ...forms.map((form) => begunAtEnd(said, form)));
	return begun < SHORTEST_BEGINNING ? text : `${said.slice(0, -begun)}${MASK}${CUT}`;
}

/** How many characters of the secret the text ends with. */
function begunAtEnd(text: string, secret: string): number {
	let length = Math.min(text.length, secret.length - 1);
	while (length > 0 && !text.endsWith(secret.slice(0, length))) length--;
	return length;
}

export type Masker = {
	/** Without the secrets of the server's entry, and without whatever has the form of one. */
	text(text: string): string;
	/** The same for every text in what the server sent with an error. */
	data(value: unknown): unknown;
	/** The same for all that is known of a failure. */
	failure(failure: UpstreamFailure): UpstreamFailure;
	/** A result that tells of a failure, without the secrets of the entry; any other as it is. */
	result(result: unknown): unknown;
};

/** Masks what a server says where it comes in, so that whoever shows it need not think of secrets. */
export function createMasker(spec: UpstreamSpec): Masker {
	const secrets = collectSecrets(spec);
	const own = (text: string): string => maskSecrets(text, secrets);
	const text = (said: string): string => maskFormats(own(said), MASK);
	const data = (value: unknown): unknown => mapTexts(value, text);
	return {
		text,
		data,
		failure(failure) {
			if (failure.kind === "timeout") return failure;
			const told = { ...failure, message: text(failure.message) };
			return told.kind === "refused" && told.data !== undefined ? { ...told, data: data(told.data) } : told;
		},
		result: (result) => (tellsOfFailure(result) ? mapTexts(result, own) : result),
	};
}

/** Of a tool that failed, or of a task that did. */
function tellsOfFailure(result: unknown): boolean {
	return isObject(result) && (result.isError === true || result.status === "failed");
}

/** From this length on, the end of a line that begins a secret is masked before the next line tells whether it goes on. */
const SHORTEST_BEGUN = 6;
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
		const begun = Math.max(0, ...forms.map((form) => countBegun(line, form)));
		before = (before + line).slice(-longest);
		if (isOfKey) return MASK;
		const end = Math.max(continued, line.length - begun);
		const middle = maskFormats(maskForms(line.slice(continued, end), forms), MASK);
		return `${continued > 0 ? MASK : ""}${middle}${end < line.length ? MASK : ""}`;
	};
}

/** How many characters of the line are the rest of a secret that the text before it has begun. */
function continuedAtStart(before: string, line: string, secret: string): number {
	const begun = countBegun(before, secret);
	if (begun > 0) {
		const piece = secret.slice(begun, begun + line.length);
		if (line.startsWith(piece)) return piece.length;
	}
	// A shorter beginning could be any word, so the line must have all the rest.
	for (let length = 1; length < Math.min(SHORTEST_BEGUN, secret.length); length++) {
		const rest = secret.slice(length);
		if (line.startsWith(rest) && before.endsWith(secret.slice(0, length))) return rest.length;
	}
	return 0;
}

/** How many characters of a secret the text ends with, if they are enough to tell. */
function countBegun(text: string, secret: string): number {
	const beginning = secret.slice(0, SHORTEST_BEGUN);
	const first = Math.max(0, text.length - secret.length + 1);
	for (let at = text.indexOf(beginning, first); at >= 0; at = text.indexOf(beginning, at + 1))
		if (secret.startsWith(text.slice(at))) return text.length - at;
	return 0;
}
