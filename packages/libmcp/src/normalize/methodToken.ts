import { accept, type Normalized, refuse } from "./normalized.ts";

/** Finds the canonical name a caller means. */
export type MethodTokens = (field: string, value: unknown) => Normalized<string>;

/**
 * Resolves names in any letter case, with dashes, underscores, dots, slashes or spaces as separators, and by alias. An
 * exact match wins; otherwise exactly one name must match.
 */
export function methodTokens(names: readonly string[], aliases: Readonly<Record<string, string>> = {}): MethodTokens {
	const exact = new Map([...names.map((name) => [name, name] as const), ...Object.entries(aliases)]);
	const folded = new Map<string, Set<string>>();
	for (const [token, name] of exact) {
		if (!names.includes(name)) throw new TypeError(`alias ${token}: expected one of ${names.join(", ")}, got ${name}`);
		folded.set(fold(token), (folded.get(fold(token)) ?? new Set()).add(name));
	}
	return (field, value) => {
		if (typeof value !== "string") return refuse("wrong_type", field, "a name", value);
		const named = exact.get(value);
		if (named !== undefined) return accept(named);
		const [only, ...others] = folded.get(fold(value)) ?? [];
		if (only === undefined) return refuse("unknown", field, `one of ${names.join(", ")}`, value);
		return others.length === 0
			? accept(only)
			: refuse("ambiguous", field, `one of ${[only, ...others].join(", ")}`, value);
	};
}

function fold(token: string): string {
	// readFile and read_file are the same words.
	return token.replace(/[-_./\s]/g, "").toLowerCase();
}
