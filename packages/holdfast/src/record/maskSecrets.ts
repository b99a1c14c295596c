import { isObject, maskFormats } from "metatools";

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
const MAX_DEPTH = 24;
/** No more than this of a masked text is shown, so the rest need not be searched. */
export const MOST_SHOWN = 20_000;

/** Copies a value with likely secrets masked, which it recognizes by member name or by format. */
export function maskSecrets(value: unknown, depth = 0): unknown {
	if (typeof value === "string") return maskFormats(value, MASK, MOST_SHOWN);
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
