/** Shorter values are not secrets, and masking them would remove ordinary words. */
const SHORTEST = 6;
/** A line of a secret of several lines, such as a key, is masked by itself from this length on. */
const SHORTEST_LINE = 16;
const SHORTEST_BEGINNING = 3;
const CUT = "…";
export const MASK = "[secret]";

/** Masks our secrets in a text that a server wrote. */
export function withoutSecrets(text: string, secrets: readonly unknown[]): string {
	return maskForms(text, formsOf(secrets));
}

/** Every form in which a server may write these secrets, the longest first. */
export function formsOf(secrets: readonly unknown[]): readonly string[] {
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
