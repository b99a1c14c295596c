import { byCodePoint } from "../json/order.ts";
import { narrowings } from "./narrowings.ts";
import type { SchemaSubject } from "./schemaArgument.ts";

/** BACKWARD: the new schema accepts all old data. FORWARD: the old schema accepts all new data. FULL: both. */
export type Compatibility = "FULL" | "BACKWARD" | "FORWARD" | "NONE";
export type CompatibilityReason = {
	readonly breaks: "BACKWARD" | "FORWARD";
	readonly path: string;
	readonly msg: string;
};
export type CompatibilityReport = {
	readonly compatibility: Compatibility;
	readonly reasons: readonly CompatibilityReason[];
};

/** Conservative: a change that cannot be shown to be harmless counts as breaking. */
export function checkCompatibility(before: SchemaSubject, after: SchemaSubject): CompatibilityReport {
	const backward = narrowings(before, after, "BACKWARD").map((reason) => ({ breaks: "BACKWARD" as const, ...reason }));
	const forward = narrowings(after, before, "FORWARD").map((reason) => ({ breaks: "FORWARD" as const, ...reason }));
	const reasons = [...backward, ...forward].sort(
		(a, b) => byCodePoint(a.breaks, b.breaks) || byCodePoint(a.path, b.path) || byCodePoint(a.msg, b.msg),
	);
	return { compatibility: verdictOf(backward.length === 0, forward.length === 0), reasons };
}

function verdictOf(backward: boolean, forward: boolean): Compatibility {
	if (backward && forward) return "FULL";
	return backward ? "BACKWARD" : forward ? "FORWARD" : "NONE";
}
