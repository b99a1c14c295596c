import type { ChunkFacts } from "../parse/chunk.ts";
import { WITHOUT_FUNCTIONS } from "../parse/languages.ts";
import type { SearchRequest } from "../query/request.ts";
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

/** Warns if a filter uses a fact that some language never has, since nothing there can match. */
export async function warnWhereUnknown(request: SearchRequest, context: FilterContext): Promise<void> {
	const filters = Object.entries(FACT_OF).filter(([argument]) => Object.hasOwn(request, argument));
	if (filters.length === 0) return;
	// Loaded lazily: this loads the rules of every language, which a plain search does not need.
	const { LANGUAGE_FACTS } = await import("../parse/languageFacts.ts");
	const all = allowedLanguages(context);
	const code = all.filter((language) => !WITHOUT_FUNCTIONS.has(language));
	// Nearly every repository has data files, where nobody expects calls, so they are named only if nothing else is
	// searched.
	const languages = code.length > 0 ? code : all;
	for (const [argument, fact] of filters) {
		const silent = languages.filter((language) => !LANGUAGE_FACTS.get(language)?.has(fact));
		if (silent.length === 0) continue;
		context.warn({
			code: "filter_unsupported",
			field: argument,
			message: `${argument} is not known for ${silent.join(", ")}; nothing there can match`,
		});
	}
}

/** Languages of the code that the earlier filters left. */
function allowedLanguages({ snapshot, allowed }: FilterContext): string[] {
	const languages = new Set<string>();
	for (const file of snapshot.files) {
		if (file.alive && file.mode === "code" && allowed.subarray(file.first, file.first + file.docs).includes(1)) {
			languages.add(file.language);
		}
	}
	return [...languages].sort();
}
