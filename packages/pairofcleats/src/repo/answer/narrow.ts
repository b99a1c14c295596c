import { listLongLinePieces } from "../../expression/longLines.ts";
import type { RegexFile, RegexJob, RegexOutcome, RegexRunner, RegexText } from "../../expression/regexSearch.ts";
import { findTrigramFiles, readRegexRequirement } from "../../expression/trigramFiles.ts";
import type { Condition } from "../../query/conditionParser.ts";
import {
	type ConditionContext,
	escapePhrase,
	evaluateCondition,
	findPhraseInsideWords,
	listRegexes,
	makeRegexKey,
	type RegexOutcomes,
} from "../../query/conditions.ts";
import { intersectMarks } from "../../query/docMarks.ts";
import { dropPhrases, type ParsedQuery } from "../../query/parseQuery.ts";
import type { Warning } from "../../query/result.ts";
import { GenerationChanged } from "../../store/store.ts";
import type { OpenIndex } from "../openIndex.ts";

/**
 * Keeps only the documents that satisfy the query's condition. If none has its phrases, treats those beside other words
 * as plain words, and treats quotes in a message that some documents contain as inserted values.
 */
export function narrowDocuments(
	parsed: ParsedQuery,
	context: ConditionContext,
	warnings: Warning[],
	written: readonly number[] = [],
): ParsedQuery {
	if (!parsed.condition) return parsed;
	const { allowed } = context;
	const satisfied = evaluateCondition(parsed.condition, context);
	const left = intersectMarks(allowed, satisfied);
	const isEmptied = allowed.includes(1) && !left.includes(1);
	const said = written.filter((doc) => allowed[doc] === 1);
	const isValue = said.length > 0 && !said.some((doc) => left[doc] === 1);
	const isExcluded = isEmptied && hasPhrases(parsed.condition, context);
	const isMissing = isEmptied && !isExcluded;
	const looser = isMissing || isValue ? dropPhrases(parsed) : undefined;
	if (!looser) {
		if (isExcluded) warnings.push(PHRASES_EXCLUDED);
		else if (isMissing && !context.spent.capped && isQuoted(parsed.condition)) {
			const inside = findPhraseInsideWords(parsed.condition, context);
			const message = `${missing(inside, context)}; without quotes its words are looked for`;
			warnings.push({ code: "unknown_word", field: "query", message });
		}
		allowed.set(left);
		return parsed;
	}
	const message = isMissing
		? `${missing(findPhraseInsideWords(parsed.condition, context), context)}; its words are looked for instead`
		: "the words round the quotes are found with another text in them; the text in quotes is not demanded";
	warnings.push({ code: "unknown_word", field: "query", message });
	return narrowDocuments(looser, context, warnings);
}

const PHRASES_EXCLUDED: Warning = {
	code: "unknown_word",
	field: "query",
	message: "the text in quotes is found, but the rest of the query excludes everything that has it",
};

/** Whether a document has the phrases that the condition asks for beside exclusions and expressions. */
function hasPhrases(condition: Condition, context: ConditionContext): boolean {
	if (condition.kind !== "all" || condition.of.some(({ kind }) => !BESIDE_PHRASES.has(kind))) return false;
	const phrases = condition.of.filter(({ kind }) => kind === "phrase");
	if (phrases.length === 0 || phrases.length === condition.of.length) return false;
	return evaluateCondition({ kind: "all", of: phrases }, context).includes(1);
}

const BESIDE_PHRASES: ReadonlySet<Condition["kind"]> = new Set(["phrase", "not", "regex"]);

/** A longer phrase is not spelt out in a warning. */
const LONGEST_NAMED = 80;

function missing(inside: string | undefined, { spent, caseSensitive }: ConditionContext): string {
	if (spent.capped) return "what was read in time has not the text in quotes as it is written";
	if (inside === undefined) return "nothing searched has the text in quotes as it is written";
	const finds =
		inside.length > LONGEST_NAMED ? "" : `, where /${escapePhrase(inside)}/${caseSensitive ? "" : "i"} finds it`;
	return `the text in quotes is written only inside longer words${finds}`;
}

/** Whether the condition asks only for quoted text. Exclusions do not matter. */
function isQuoted(condition: Condition): boolean {
	if (condition.kind !== "all") return false;
	const kinds = condition.of.map(({ kind }) => kind);
	return kinds.includes("phrase") && kinds.every((kind) => kind === "phrase" || kind === "not");
}

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
	for (const regex of parsed.condition ? listRegexes(parsed.condition) : []) {
		const { snapshot, reader } = index;
		const files = findTrigramFiles(snapshot, reader, readRegexRequirement(regex.source, regex.flags)).flatMap(
			(target) => {
				const file = snapshot.files[target];
				const open = file && allowed.subarray(file.first, file.first + file.docs).includes(1);
				if (!open) return [];
				return [{ target, segment: file.segment.id, ordinal: file.ordinal, pieces: listLongLinePieces(file) }];
			},
		);
		const flags = [...new Set(`${regex.flags}gm`)].join("");
		const outcome = await searchFiles({ source: regex.source, flags }, files, index, regexes, signal);
		results.set(makeRegexKey(regex), outcome);
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
