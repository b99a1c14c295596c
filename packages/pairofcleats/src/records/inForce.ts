import type { Decision } from "./record.ts";

/** The decision that counts: the newest that has not expired. */
export function inForce(decisions: readonly Decision[]): Decision | undefined {
	return byAge(decisions.filter((decision) => !isExpired(decision))).at(-1);
}

/** An expired decision stays in the history but no longer counts. */
export function isExpired({ expiresAt }: Decision, now: number = Date.now()): boolean {
	return expiresAt !== undefined && new Date(expiresAt).getTime() <= now;
}

/** Oldest first. */
export function byAge(decisions: readonly Decision[]): Decision[] {
	return decisions.toSorted((a, b) => madeAt(a) - madeAt(b));
}

/** The moment of a decision; 0 for one that an import brought without a real date. */
export function madeAt({ createdAt }: Decision): number {
	return Date.parse(createdAt) || 0;
}
