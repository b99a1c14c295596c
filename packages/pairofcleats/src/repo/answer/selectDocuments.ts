import type { RegexRunner } from "../../expression/regexSearch.ts";
import type { FilterContext } from "../../filter/filterContext.ts";
import { applyFilters } from "../../filter/filters.ts";
import type { RegexOutcomes } from "../../query/conditions.ts";
import type { SearchRequest } from "../../query/request.ts";
import type { Warning } from "../../query/result.ts";
import { addNamedRecords } from "../../rank/mentions/mentionedFiles.ts";
import type { OpenIndex } from "../openIndex.ts";
import { runExpressions } from "./narrow.ts";
import type { ReadQuestion } from "./readQuestion.ts";

/** The documents that a search may find. */
export type Selection = {
	/** 1 for each document of the modes. */
	readonly counted: Uint8Array;
	/** 1 for each of these that the filters let through. */
	readonly allowed: Uint8Array;
	/** Where the expressions of the query match. */
	readonly regexes: RegexOutcomes;
};

/** Applies the filters of a request, then runs the expressions of its query over what is left. */
export async function selectDocuments(
	index: OpenIndex,
	request: SearchRequest,
	{ asked, terms }: ReadQuestion,
	modes: readonly number[],
	runner: RegexRunner,
	warnings: Warning[],
	signal: AbortSignal | undefined,
): Promise<Selection> {
	const { snapshot, reader } = index;
	const inModes = index.documents(modes);
	const counted = request.mode === undefined ? addNamedRecords(inModes, snapshot, terms.mentions) : inModes;
	const allowed = counted.slice();
	const context: FilterContext = {
		snapshot,
		reader,
		allowed,
		git: () => index.git(),
		warn: (warning) => warnings.push(warning),
		nowMs: Date.now(),
	};
	await applyFilters(request, context, runner);
	const regexes = await runExpressions(asked, index, allowed, runner, warnings, signal);
	signal?.throwIfAborted();
	return { counted, allowed, regexes };
}
