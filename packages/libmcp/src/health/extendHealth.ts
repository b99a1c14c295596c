import type { HealthSnapshot } from "./healthBoard.ts";

/** The base payload with a consumer's own fields beside it; a field of the base cannot be taken over. */
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
