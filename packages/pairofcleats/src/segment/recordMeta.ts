/** Fields nested deeper, or beyond this number, are skipped. */
const MAX_DEPTH = 6;
const MAX_FIELDS = 200;

/** The fields of a record as the `meta` filter matches them: `key=value` with dotted keys, in lower case. */
export function recordMeta(text: string): string[] {
	let record: unknown;
	try {
		record = JSON.parse(text);
	} catch {
		return [];
	}
	const pairs: string[] = [];
	flatten(record, "", 0, pairs);
	return pairs;
}

function flatten(value: unknown, key: string, depth: number, pairs: string[]): void {
	if (pairs.length >= MAX_FIELDS || value === undefined) return;
	if (Array.isArray(value)) {
		for (const item of value) flatten(item, key, depth + 1, pairs);
	} else if (typeof value === "object" && value !== null) {
		if (depth >= MAX_DEPTH) return;
		for (const [name, inner] of Object.entries(value)) {
			flatten(inner, key === "" ? name.toLowerCase() : `${key}.${name.toLowerCase()}`, depth + 1, pairs);
		}
	} else if (key !== "") pairs.push(`${key}=${String(value).toLowerCase().slice(0, 300)}`);
}
