import { isObject } from "metatools";

const MASK = "••••";
const SECRET =
	/(?:pass(?:word|phrase|wd)?|secret|token|api[-_]?key|auth(?:orization)?|credential|cookie|session[-_]?id|private[-_]?key|signature|bearer)/i;
const SECRET_VALUE =
	/^(?:Bearer\s+\S+|sk-[\w-]{16,}|gh[pousr]_\w{20,}|xox[abpr]-[\w-]{10,}|eyJ[\w-]+\.[\w-]+\.[\w-]*)$/;
const MAX_DEPTH = 24;

/** The same value with whatever looks like a secret, by its key or by its form, replaced. */
export function maskSecrets(value: unknown, depth = 0): unknown {
	if (typeof value === "string") return SECRET_VALUE.test(value) ? MASK : value;
	if (depth > MAX_DEPTH) return "…";
	if (Array.isArray(value)) return value.map((item) => maskSecrets(item, depth + 1));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [key, hides(key, member) ? MASK : maskSecrets(member, depth + 1)]),
	);
}

// A count of tokens is no token.
function hides(key: string, member: unknown): boolean {
	return SECRET.test(key) && typeof member === "string";
}
