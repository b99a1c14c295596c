/** Shorter values are not secrets, and masking them would remove ordinary words. */
const SHORTEST = 6;
const SHORTEST_BEGINNING = 3;
const CUT = "…";
export const MASK = "[secret]";

/** Masks our secrets in a text that a server wrote. */
export function withoutSecrets(text: string, secrets: readonly unknown[]): string {
	const known = secrets
		.filter((secret) => typeof secret === "string")
		.filter((secret) => secret.length >= SHORTEST)
		// As it is, in an address, and in JSON.
		.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)])
		.sort((a, b) => b.length - a.length);
	return withoutCutSecret(
		known.reduce((cleaned, secret) => cleaned.replaceAll(secret, MASK), text),
		known,
	);
}

/** Long messages are cut before they come here, and that may have been in the middle of a secret. */
function withoutCutSecret(text: string, known: readonly string[]): string {
	if (!text.endsWith(CUT)) return text;
	const said = text.slice(0, -CUT.length);
	const begun = Math.max(0, ...known.map((secret) => begunAtEnd(said, secret)));
	return begun < SHORTEST_BEGINNING ? text : `${said.slice(0, -begun)}${MASK}${CUT}`;
}

/** How many characters of the secret the text ends with. */
function begunAtEnd(text: string, secret: string): number {
	let length = Math.min(text.length, secret.length - 1);
	while (length > 0 && !text.endsWith(secret.slice(0, length))) length--;
	return length;
}
