import { piecesOfLongLines } from "../expression/longLines.ts";
import type { RegexOutcome, RegexRunner } from "../expression/regexSearch.ts";
import { regexRequirement } from "../expression/regexTrigrams.ts";
import { trigramFiles } from "../expression/trigramFiles.ts";
import { type RegexOutcomes, regexesIn, regexKey } from "../query/conditions.ts";
import type { ParsedQuery } from "../query/parseQuery.ts";
import type { Warning } from "../query/result.ts";
import type { OpenIndex } from "./openIndex.ts";

/** Time limit for reading texts for phrases, and again for running expressions. */
export const TEXT_BUDGET_MS = 2_000;

/** Runs each expression of the query over the files that may match it. */
export async function runExpressions(
	parsed: ParsedQuery,
	index: OpenIndex,
	allowed: Uint8Array,
	regexes: RegexRunner,
	warnings: Warning[],
	signal: AbortSignal | undefined,
): Promise<RegexOutcomes> {
	const results = new Map<string, RegexOutcome>();
	for (const regex of parsed.condition ? regexesIn(parsed.condition) : []) {
		const { snapshot, reader } = index;
		const files = trigramFiles(snapshot, reader, regexRequirement(regex.source, regex.flags)).flatMap((target) => {
			const file = snapshot.files[target];
			const open = file && allowed.subarray(file.first, file.first + file.docs).includes(1);
			if (!open) return [];
			return [{ target, segment: file.segment.id, ordinal: file.ordinal, pieces: piecesOfLongLines(file) }];
		});
		const flags = [...new Set(`${regex.flags}gm`)].join("");
		const place = { index: index.file, generation: snapshot.generation };
		const job = { kind: "texts", source: regex.source, flags, ...place, files } as const;
		const outcome = await regexes.run(job, TEXT_BUDGET_MS, signal);
		results.set(regexKey(regex), outcome);
		if (outcome.unsearched.length > 0) {
			const message = `/${regex.source}/ took longer than ${TEXT_BUDGET_MS} ms; some files were not searched`;
			warnings.push({ code: "regex_budget", field: "query", message });
		}
	}
	return results;
}
