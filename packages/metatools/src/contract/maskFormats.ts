/**
 * Tokens in well-known formats, private keys, and passwords in URLs, anywhere in a text. A number before a slash is a
 * port: `http://host:80/a@b`. "No bearer token" has no token.
 */
const SECRET_TEXT =
	/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\w\s+/=\\:,]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?|\b(?:[Bb]asic|[Bb]earer)(?<=[Aa]uthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:[Bb]asic|[Bb]earer))\s+\S+|\b[rs]k_(?:live|test)_\w{10,}|(?<=:\/\/)[\w-]{20,}(?=@)|\b[Bb]earer\s+(?!\w+=["'])(?:(?=\S*\d)\S{6,}|\S{20,})|\bsk-[\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bnpm_\w{30,}|\bxox[abpr]-[\w-]{10,}|\bA[KS]IA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|(?:(?<![\w-])eyJ[\w-]+|\beyJ[\w-]{1,2000})\.[\w-]+\.[\w-]*|(?<=:\/\/[^\s/:@]{0,100}:)(?:[^\s/@]+|(?!\d{1,5}\/)[^\s@"'<>]{1,200})(?=@)/g;
const STEP = 40_000;

/**
 * Masks what has the form of a secret, whoever it belongs to. Of a long text only so much is searched that the first
 * `most` characters of what is returned can be shown.
 */
export function maskFormats(text: string, mask: string, most: number = Number.POSITIVE_INFINITY): string {
	let masked = "";
	let at = 0;
	while (at < text.length && masked.length < most) {
		const end = edgeNear(text, at, at + STEP);
		masked += text.slice(at, end).replace(SECRET_TEXT, mask);
		at = end;
	}
	return masked + text.slice(at);
}

/** Goes back before the last two words, so that no token is cut in half or parted from the word "Bearer". */
function edgeNear(text: string, start: number, end: number): number {
	if (end >= text.length) return text.length;
	let edge = end;
	for (let words = 0; words < 2; words++) {
		while (edge > start && isGap(text, edge - 1)) edge--;
		while (edge > start && !isGap(text, edge - 1)) edge--;
	}
	return edge > start ? edge : end;
}

function isGap(text: string, at: number): boolean {
	return /[\s",]/.test(text.charAt(at));
}
