import { isObject } from "metatools";

const MASK = "••••";
const SECRET_KEY =
	/(?:pass(?:word|phrase|wd)?|secret|token|api[-_]?key|auth(?:orization)?|credential|cookie|session[-_]?id|private[-_]?key|signature|bearer)/i;
/** Tokens in well-known formats, and passwords in URLs, anywhere in a text. */
const SECRET_TEXT =
	/\b[Bb]earer\s+\S+|\bsk-[\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bnpm_\w{30,}|\bxox[abpr]-[\w-]{10,}|\bA[KS]IA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\beyJ[\w-]+\.[\w-]+\.[\w-]*|(?<=:\/\/[^\s/:@]{1,100}:)[^\s/@]+(?=@)/g;
const MAX_DEPTH = 24;
/** Only this much of a text is searched; the rest is cut off before it is shown. */
const MAX_SEARCHED = 40_000;

/** The same value with whatever looks like a secret, by its key or by its form, replaced. */
export function maskSecrets(value: unknown, depth = 0): unknown {
	if (typeof value === "string") return maskText(value);
	if (depth > MAX_DEPTH) return "…";
	if (Array.isArray(value)) return value.map((item) => maskSecrets(item, depth + 1));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [
			key,
			SECRET_KEY.test(key) ? hidden(member, depth + 1) : maskSecrets(member, depth + 1),
		]),
	);
}

// Numbers are not secrets ("tokens": 5), and objects are searched by their own keys.
function hidden(member: unknown, depth: number): unknown {
	if (typeof member === "string") return MASK;
	if (!Array.isArray(member)) return maskSecrets(member, depth);
	return depth > MAX_DEPTH ? "…" : member.map((item) => hidden(item, depth + 1));
}

function maskText(text: string): string {
	return text.slice(0, MAX_SEARCHED).replace(SECRET_TEXT, MASK) + text.slice(MAX_SEARCHED);
}
