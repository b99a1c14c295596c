import type { Condition } from "../query/conditionParser.ts";
import { type ConditionContext, evaluate, phraseBody, phraseInsideWords } from "../query/conditions.ts";
import { inBoth } from "../query/docMarks.ts";
import { type ParsedQuery, withoutPhrases } from "../query/parseQuery.ts";
import type { Warning } from "../query/result.ts";

/**
 * Keeps only the documents that satisfy the query's condition. If none has its phrases, treats those beside other words
 * as plain words, and treats quotes in a message that some documents contain as inserted values.
 */
export function narrow(
	parsed: ParsedQuery,
	context: ConditionContext,
	warnings: Warning[],
	written: readonly number[] = [],
): ParsedQuery {
	if (!parsed.condition) return parsed;
	const { allowed } = context;
	const satisfied = evaluate(parsed.condition, context);
	const left = inBoth(allowed, satisfied);
	const isEmptied = allowed.includes(1) && !left.includes(1);
	const said = written.filter((doc) => allowed[doc] === 1);
	const isValue = said.length > 0 && !said.some((doc) => left[doc] === 1);
	const isExcluded = isEmptied && hasPhrases(parsed.condition, context);
	const isMissing = isEmptied && !isExcluded;
	const looser = isMissing || isValue ? withoutPhrases(parsed) : undefined;
	if (!looser) {
		if (isExcluded) warnings.push(PHRASES_EXCLUDED);
		else if (isMissing && !context.spent.capped && isQuoted(parsed.condition)) {
			const inside = phraseInsideWords(parsed.condition, context);
			const message = `${missing(inside, context)}; without quotes its words are looked for`;
			warnings.push({ code: "unknown_word", field: "query", message });
		}
		allowed.set(left);
		return parsed;
	}
	const message = isMissing
		? `${missing(phraseInsideWords(parsed.condition, context), context)}; its words are looked for instead`
		: "the words round the quotes are found with another text in them; the text in quotes is not demanded";
	warnings.push({ code: "unknown_word", field: "query", message });
	return narrow(looser, context, warnings);
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
	return evaluate({ kind: "all", of: phrases }, context).includes(1);
}

const BESIDE_PHRASES: ReadonlySet<Condition["kind"]> = new Set(["phrase", "not", "regex"]);

/** A longer phrase is not spelt out in a warning. */
const LONGEST_NAMED = 80;

function missing(inside: string | undefined, { spent, caseSensitive }: ConditionContext): string {
	if (spent.capped) return "what was read in time has not the text in quotes as it is written";
	if (inside === undefined) return "nothing searched has the text in quotes as it is written";
	const finds =
		inside.length > LONGEST_NAMED ? "" : `, where /${phraseBody(inside)}/${caseSensitive ? "" : "i"} finds it`;
	return `the text in quotes is written only inside longer words${finds}`;
}

/** Whether the condition asks only for quoted text. Exclusions do not matter. */
function isQuoted(condition: Condition): boolean {
	if (condition.kind !== "all") return false;
	const kinds = condition.of.map(({ kind }) => kind);
	return kinds.includes("phrase") && kinds.every((kind) => kind === "phrase" || kind === "not");
}
