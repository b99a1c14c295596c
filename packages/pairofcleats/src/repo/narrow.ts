import type { Condition } from "../query/conditionParser.ts";
import { type ConditionContext, evaluate, phraseBody, phraseInsideWords } from "../query/conditions.ts";
import { inBoth } from "../query/docMarks.ts";
import { type ParsedQuery, withoutPhrases } from "../query/parseQuery.ts";
import type { Warning } from "../query/result.ts";

/**
 * Keeps only the documents that satisfy the query's condition. If none does, treats phrases beside other words as plain
 * words, and treats quotes in a message that some documents contain as inserted values.
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
	const looser = isEmptied || isValue ? withoutPhrases(parsed) : undefined;
	if (!looser) {
		if (isEmptied && !context.spent.capped && isQuoted(parsed.condition)) {
			const inside = phraseInsideWords(parsed.condition, context);
			const message = `${missing(inside, context)}; without quotes its words are looked for`;
			warnings.push({ code: "unknown_word", field: "query", message });
		}
		allowed.set(left);
		return parsed;
	}
	const message = isEmptied
		? `${missing(phraseInsideWords(parsed.condition, context), context)}; its words are looked for instead`
		: "the words round the quotes are found with another text in them; the text in quotes is not demanded";
	warnings.push({ code: "unknown_word", field: "query", message });
	return narrow(looser, context, warnings);
}

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
