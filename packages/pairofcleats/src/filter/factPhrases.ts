import type { SearchRequest } from "../query/request.ts";

/** The filters whose values are written in the code they keep, and how they are compared with it. */
const WRITTEN = {
	calls: "whole",
	uses: "whole",
	param: "whole",
	decorator: "part",
	throws: "part",
	awaits: "part",
	reads: "part",
	writes: "part",
	mutates: "part",
	alias: "part",
	extends: "part",
	returnType: "part",
	signature: "part",
} as const satisfies Partial<Record<keyof SearchRequest, "whole" | "part">>;

/** Finds the values of a request's filters in the text of a hit, to show their lines where the query has no words. */
export function factPhrases(request: SearchRequest): RegExp[] {
	return Object.entries(WRITTEN).flatMap(([argument, by]) => {
		const words = request[argument as keyof typeof WRITTEN]?.match(/[\p{L}\p{N}_$]+/gu);
		if (!words) return [];
		// A fact leaves out what may stand between names: `a.b` of `a?.b`.
		const value = words.map((word) => word.replaceAll("$", "\\$")).join("[^\\p{L}\\p{N}_$]{1,4}");
		return by === "part"
			? new RegExp(value, "giu")
			: new RegExp(`(?<![\\p{L}\\p{N}_$])${value}(?![\\p{L}\\p{N}_$])`, "gu");
	});
}
