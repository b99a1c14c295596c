/** Shorter values are not secrets, and masking them would remove ordinary words. */
const SHORTEST = 6;
export const MASK = "[secret]";

/** Masks our secrets in a text that a server wrote. */
export function withoutSecrets(text: string, secrets: readonly unknown[]): string {
	const known = secrets
		.filter((secret) => typeof secret === "string")
		.filter((secret) => secret.length >= SHORTEST)
		.flatMap((secret) => [secret, encodeURIComponent(secret)])
		.sort((a, b) => b.length - a.length);
	return known.reduce((cleaned, secret) => cleaned.replaceAll(secret, MASK), text);
}
