import type { ChunkFacts } from "../parse/chunk.ts";
import { WITHOUT_FUNCTIONS } from "../parse/languages.ts";
import type { SearchRequest } from "../query/request.ts";
import type { Warning } from "../query/result.ts";
import type { FilterContext } from "./filterContext.ts";

/** The syntax tree fact that each filter reads. */
const FACT_OF: Readonly<Partial<Record<keyof SearchRequest, keyof ChunkFacts>>> = {
	calls: "calls",
	uses: "uses",
	signature: "signature",
	param: "params",
	decorator: "decorators",
	inferredType: "inferredTypes",
	returnType: "returnType",
	throws: "throws",
	reads: "reads",
	writes: "writes",
	mutates: "mutates",
	alias: "aliases",
	awaits: "awaits",
	risk: "risk",
	riskTag: "risk",
	riskSource: "risk",
	riskSink: "risk",
	riskCategory: "risk",
	riskFlow: "risk",
	branchesMin: "branches",
	loopsMin: "loops",
	breaksMin: "breaks",
	continuesMin: "continues",
	visibility: "visibility",
	extends: "extends",
	async: "async",
	generator: "generator",
	returns: "returns",
};

/** Languages of fewer than this share of the code files are named only if nothing matches. */
const SMALL_SHARE = 0.1;

type UnknownFact = { readonly warning: Warning; readonly isRare: boolean };

/** The filters that use a fact which some language never has, since nothing there can match. */
export async function findUnknownFacts(request: SearchRequest, context: FilterContext): Promise<UnknownFact[]> {
	const filters = Object.entries(FACT_OF).filter(([argument]) => Object.hasOwn(request, argument));
	if (filters.length === 0) return [];
	// Loaded lazily: this loads the rules of every language, which a plain search does not need.
	const { LANGUAGE_FACTS } = await import("../parse/languageFacts.ts");
	const files = filesByLanguage(context);
	const all = [...files.keys()].sort();
	const code = all.filter((language) => !WITHOUT_FUNCTIONS.has(language));
	// Nearly every repository has data files, where nobody expects calls, so they are named only if nothing else is
	// searched.
	const languages = code.length > 0 ? code : all;
	const count = (some: readonly string[]): number => some.reduce((sum, one) => sum + (files.get(one) ?? 0), 0);
	return filters.flatMap(([argument, fact]) => {
		const silent = languages.filter((language) => !LANGUAGE_FACTS.get(language)?.has(fact));
		if (silent.length === 0) return [];
		const message = `${argument} is not known for ${silent.join(", ")}; nothing there can match`;
		const isRare = count(silent) < SMALL_SHARE * count(languages);
		return [{ warning: { code: "filter_unsupported", field: argument, message }, isRare }];
	});
}

/** How many files of each language have code that the earlier filters left. */
function filesByLanguage({ snapshot, allowed }: FilterContext): Map<string, number> {
	const files = new Map<string, number>();
	for (const { alive, mode, first, docs, language } of snapshot.files) {
		if (alive && mode === "code" && allowed.subarray(first, first + docs).includes(1))
			files.set(language, (files.get(language) ?? 0) + 1);
	}
	return files;
}

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
export function makeFactPatterns(request: SearchRequest): RegExp[] {
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
