import { isObject } from "../contract/json.ts";

/**
 * Replaces `${VAR}`, `${env:VAR}` and `${VAR:-default}` in every text of a configuration; `$$` is one dollar sign.
 * A variable that is not set is an error naming the place. Those that are set are added to `used`.
 */
export function expand(
	value: unknown,
	environment: Readonly<Record<string, string | undefined>>,
	place: string,
	used: Map<string, string> = new Map(),
): unknown {
	if (typeof value === "string") return expandText(value, environment, place, used);
	if (Array.isArray(value)) return value.map((item, index) => expand(item, environment, `${place}.${index}`, used));
	if (!isObject(value)) return value;
	const join = (key: string) => (place === "" ? key : `${place}.${key}`);
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [key, expand(inner, environment, join(key), used)]),
	);
}

function expandText(
	text: string,
	environment: Readonly<Record<string, string | undefined>>,
	place: string,
	used: Map<string, string>,
): string {
	return text.replace(/\$\$|\$\{([^}]*)\}/g, (whole, inner: string | undefined) => {
		if (inner === undefined) return whole === "$$" ? "$" : whole;
		const match = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner);
		if (match === null) throw new Error(`${place}: expected \${NAME}, got ${whole}`);
		const [, name = "", fallback] = match;
		const value = environment[name];
		if (value !== undefined) used.set(name, value);
		const found = value ?? fallback;
		if (found === undefined) throw new Error(`${place}: expected the environment variable ${name} to be set`);
		return found;
	});
}
