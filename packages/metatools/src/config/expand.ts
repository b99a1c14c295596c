import { isObject } from "../contract/json.ts";

/**
 * Replaces `${VAR}`, `${env:VAR}` and `${VAR:-default}` in every text of a configuration; `$$` is one dollar sign.
 * A variable that is not set is an error naming the place.
 */
export function expand(
	value: unknown,
	environment: Readonly<Record<string, string | undefined>>,
	place: string,
): unknown {
	if (typeof value === "string") return expandText(value, environment, place);
	if (Array.isArray(value)) return value.map((item, index) => expand(item, environment, `${place}.${index}`));
	if (!isObject(value)) return value;
	const join = (key: string) => (place === "" ? key : `${place}.${key}`);
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expand(inner, environment, join(key))]));
}

function expandText(text: string, environment: Readonly<Record<string, string | undefined>>, place: string): string {
	return text.replace(/\$\$|\$\{([^}]*)\}/g, (whole, inner: string | undefined) => {
		if (inner === undefined) return whole === "$$" ? "$" : whole;
		const match = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner);
		if (match === null) throw new Error(`${place}: expected \${NAME}, got ${whole}`);
		const [, name = "", fallback] = match;
		const found = environment[name] ?? fallback;
		if (found === undefined) throw new Error(`${place}: expected the environment variable ${name} to be set`);
		return found;
	});
}
