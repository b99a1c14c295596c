import type { Condition } from "../query/conditionParser.ts";
import { type ConditionContext, evaluate } from "../query/conditions.ts";
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
		allowed.set(left);
		if (isEmptied && !context.spent.capped && isQuoted(parsed.condition)) {
			const message =
				"nothing searched has the text in quotes as it is written; without quotes its words are looked for";
			warnings.push({ code: "unknown_word", field: "query", message });
		}
		return parsed;
	}
	const message = isEmptied
		? `${context.spent.capped ? "what was read in time has not" : "nothing searched has"} the text in quotes as it is written; its words are looked for instead`
		: "the words round the quotes are found with another text in them; the text in quotes is not demanded";
	warnings.push({ code: "unknown_word", field: "query", message });
	return narrow(looser, context, warnings);
}

/** Whether the condition asks only for quoted text. Exclusions do not matter. */
function isQuoted(condition: Condition): boolean {
	if (condition.kind !== "all") return false;
	const kinds = condition.of.map(({ kind }) => kind);
	return kinds.includes("phrase") && kinds.every((kind) => kind === "phrase" || kind === "not");
}
