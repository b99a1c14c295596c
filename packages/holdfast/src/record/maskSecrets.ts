import { isObject } from "metatools";

const MASK = "••••";
/** Names of members to mask; names like `author`, `passage` and `tokenizer` must not match. */
const SECRET_KEY =
	/pass(?:word|phrase|wd|code|$)|secret(?!ar)|token(?!i[sz])|(?:api|access)[-_]?key|auth(?!or(?!i[sz]))|credential|cookie|session[-_]?id|private[-_]?key|bearer/i;
/** As variables are named; a `primary_key` is none, and `PWD` is a folder. */
const SECRET_VARIABLE = /^[A-Z0-9_]+_(?:KEY|PWD)$|(?:^|[a-z_-])[Pp]wd$/;
/** Under these names even a number is a secret; elsewhere ("tokens": 5) it is not. */
const NUMERIC_SECRET = /(?:pass(?:word|phrase|wd|code)|pwd|secret)$/i;
/** A request's signature is one word; function signatures, as in code search, have spaces or parentheses. */
const SIGNATURE_KEY = /signature/i;
const ONE_WORD = /^[^\s()]+$/;
/**
 * Tokens in well-known formats, private keys, and passwords in URLs, anywhere in a text. A number before a slash is a
 * port: `http://host:80/a@b`.
 */
const SECRET_TEXT =
	/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\w\s+/=\\:,]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?|\b[Bb]asic(?<=[Aa]uthorization["']?\s{0,3}[:=]\s{0,3}["']?[Bb]asic)\s+\S+|\b[rs]k_(?:live|test)_\w{10,}|(?<=:\/\/)[\w-]{20,}(?=@)|\b[Bb]earer\s+\S+|\bsk-[\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bnpm_\w{30,}|\bxox[abpr]-[\w-]{10,}|\bA[KS]IA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|(?:(?<![\w-])eyJ[\w-]+|\beyJ[\w-]{1,2000})\.[\w-]+\.[\w-]*|(?<=:\/\/[^\s/:@]{0,100}:)(?:[^\s/@]+|(?!\d{1,5}\/)[^\s@"'<>]{1,200})(?=@)/g;
const MAX_DEPTH = 24;
/** No more than this of a masked text is shown, so the rest need not be searched. */
export const MOST_SHOWN = 20_000;
const STEP = 40_000;

/** Copies a value with likely secrets masked, which it recognizes by member name or by format. */
export function maskSecrets(value: unknown, depth = 0): unknown {
	if (typeof value === "string") return maskText(value);
	if (depth > MAX_DEPTH) return "…";
	if (Array.isArray(value)) return value.map((item) => maskSecrets(item, depth + 1));
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskMember(key, member, depth + 1)]));
}

function maskMember(key: string, member: unknown, depth: number): unknown {
	if (typeof member === "number") return NUMERIC_SECRET.test(key) ? MASK : member;
	return isSecret(key, member) ? hidden(member, depth) : maskSecrets(member, depth);
}

function isSecret(key: string, member: unknown): boolean {
	return (
		SECRET_KEY.test(key) ||
		SECRET_VARIABLE.test(key) ||
		(SIGNATURE_KEY.test(key) && typeof member === "string" && ONE_WORD.test(member))
	);
}

// Objects are searched by their own keys.
function hidden(member: unknown, depth: number): unknown {
	if (typeof member === "string") return MASK;
	if (!Array.isArray(member)) return maskSecrets(member, depth);
	return depth > MAX_DEPTH ? "…" : member.map((item) => hidden(item, depth + 1));
}

function maskText(text: string): string {
	let masked = "";
	let at = 0;
	while (at < text.length && masked.length < MOST_SHOWN) {
		const end = edgeNear(text, at, at + STEP);
		masked += text.slice(at, end).replace(SECRET_TEXT, MASK);
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
