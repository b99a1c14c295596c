import { piecesOfLongLines } from "../expression/longLines.ts";
import type { RegexFile, RegexJob, RegexOutcome, RegexRunner, RegexText } from "../expression/regexSearch.ts";
import { regexRequirement } from "../expression/regexTrigrams.ts";
import { trigramFiles } from "../expression/trigramFiles.ts";
import { type RegexOutcomes, regexesIn, regexKey } from "../query/conditions.ts";
import type { ParsedQuery } from "../query/parseQuery.ts";
import type { Warning } from "../query/result.ts";
import { GenerationChanged } from "../store/generationChanged.ts";
import type { OpenIndex } from "./openIndex.ts";

/** Time limit for reading texts for phrases, and again for running expressions. */
export const TEXT_BUDGET_MS = 2_000;

/** More are not read on the serving thread. */
const MOST_READ = 100;

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
		const outcome = await searchFiles({ source: regex.source, flags }, files, index, regexes, signal);
		results.set(regexKey(regex), outcome);
		if (outcome.unsearched.length > 0) {
			const message = `/${regex.source}/ took longer than ${TEXT_BUDGET_MS} ms; some files were not searched`;
			warnings.push({ code: "regex_budget", field: "query", message });
		}
	}
	return results;
}

async function searchFiles(
	pattern: Pick<RegexJob, "source" | "flags">,
	files: readonly RegexFile[],
	index: OpenIndex,
	regexes: RegexRunner,
	signal: AbortSignal | undefined,
): Promise<RegexOutcome> {
	const place = { index: index.file, generation: index.snapshot.generation };
	const untilMs = performance.now() + TEXT_BUDGET_MS;
	const read = await regexes.run({ kind: "texts", ...pattern, ...place, files }, TEXT_BUDGET_MS, signal);
	const texts = textsOf(read.missing, files, index);
	if (texts.length === 0) return read;
	const leftMs = Math.max(1, untilMs - performance.now());
	const given = await regexes.run({ kind: "given", ...pattern, texts }, leftMs, signal);
	return {
		matches: new Map([...read.matches, ...given.matches]),
		unsearched: [...read.unsearched, ...given.unsearched],
	};
}

/** The texts that the threads missed, as this generation still has them: another was published as they opened the index. */
function textsOf(
	missing: readonly number[],
	files: readonly RegexFile[],
	{ snapshot, reader }: OpenIndex,
): RegexText[] {
	if (missing.length === 0) return [];
	const places = new Map(files.map((file) => [file.target, file]));
	return reader.read(() => {
		if (missing.length > MOST_READ || reader.generation() !== snapshot.generation) throw new GenerationChanged();
		return missing.flatMap((target) => {
			const place = places.get(target);
			if (place === undefined) return [];
			const text = reader.text(place.segment, place.ordinal);
			return text === undefined ? [] : [{ target, text, pieces: place.pieces }];
		});
	});
}
