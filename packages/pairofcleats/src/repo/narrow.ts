import type { Condition } from "../query/conditionParser.ts";
import { type ConditionContext, evaluate } from "../query/conditions.ts";
import { inBoth } from "../query/docMarks.ts";
import { type ParsedQuery, withoutPhrases } from "../query/parseQuery.ts";
import type { Warning } from "../query/result.ts";

/**
 * Leaves only what satisfies the query's condition. Where that is nothing, phrases beside other words are words too, and
 * where the query is a message of some documents, what it quotes is a value.
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

/** Asks for nothing but text in quotes, whatever it excludes. */
function isQuoted(condition: Condition): boolean {
	return condition.kind === "all" && condition.of.every(({ kind }) => kind === "phrase" || kind === "not");
}
