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
export const MASK = "[secret]";

/** Masks our secrets in a text that a server wrote. */
export function maskSecrets(text: string, secrets: readonly unknown[]): string {
	return maskForms(text, listForms(secrets));
}

/** Every form in which a server may write these secrets, the longest first. */
export function listForms(secrets: readonly unknown[]): readonly string[] {
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
export function maskForms(text: string, forms: readonly string[]): string {
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
