import type { HealthSnapshot } from "./healthBoard.ts";

/** Adds a consumer's own fields to the base payload; they cannot replace a base field. */
export function extendHealth<Extra extends Record<string, unknown>>(
	base: HealthSnapshot,
	extra: Extra & { readonly [Field in keyof HealthSnapshot]?: never },
): HealthSnapshot & Extra {
	for (const field of Object.keys(extra)) {
		if (Object.hasOwn(base, field))
			throw new TypeError(`health field ${JSON.stringify(field)} belongs to the base payload`);
	}
	return { ...extra, ...base };
}
