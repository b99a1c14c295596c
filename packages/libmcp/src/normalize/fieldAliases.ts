import { isDeepStrictEqual } from "node:util";
import { accept, type Normalized, refuse } from "./normalized.ts";

/** Canonical field to the other names callers use for it. */
export type FieldAliases = Readonly<Record<string, readonly string[]>>;

/** Returns the arguments under canonical names. Two names for one field must have the same value. */
export function normalizeFields(
	input: Readonly<Record<string, unknown>>,
	aliases: FieldAliases,
): Normalized<Record<string, unknown>> {
	const canonical = new Map(
		Object.entries(aliases).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
	);
	const output = new Map<string, unknown>();
	const cameAs = new Map<string, string>();
	for (const [field, value] of Object.entries(input)) {
		const name = canonical.get(field) ?? field;
		const earlier = cameAs.get(name);
		if (earlier !== undefined && !isDeepStrictEqual(output.get(name), value)) {
			return refuse("conflict", name, `one value under ${earlier} and ${field}`, [output.get(name), value]);
		}
		cameAs.set(name, field);
		output.set(name, value);
	}
	return accept(Object.fromEntries(output));
}
