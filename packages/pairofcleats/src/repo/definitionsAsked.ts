import type { Warning } from "../query/result.ts";
import { type Definitions, findDefinitions } from "../rank/definitions.ts";
import type { QueryTerms } from "../rank/gatheredTerms.ts";
import type { Impacts } from "../rank/impacts.ts";
import { nearName } from "../rank/nearName.ts";
import { wordedNames } from "../rank/wordedNames.ts";
import { termsOf } from "../tokens/terms.ts";
import type { OpenIndex } from "./openIndex.ts";

/**
 * The definitions of what the query names. Where nothing has an identifier, a warning says so, and the definitions are
 * those of the one that was likely meant.
 */
export function definitionsAsked(
	query: QueryTerms,
	{ snapshot, reader }: OpenIndex,
	impacts: Impacts,
	warnings: Warning[],
): Definitions {
	const definitions = findDefinitions(snapshot, reader, query.symbols);
	const name = query.dashed ?? query.symbols.at(-1);
	if (definitions.docs.size > 0 || query.shape !== "symbol" || name === undefined) return definitions;
	if (isThere(query, name, impacts)) return definitions;
	const warn = (rest: string): void => {
		const message = `nothing searched has ${JSON.stringify(name)}; ${rest}`;
		warnings.push({ code: "unknown_word", field: "query", message });
	};
	const meant = query.dashed === undefined ? nearName(name, snapshot) : undefined;
	if (meant !== undefined) {
		warn(`${JSON.stringify(meant)} is shown`);
		return findDefinitions(snapshot, reader, [meant]);
	}
	// Where another word is looked for instead, or no word is there at all, that is said.
	if (warnings.some(({ code }) => code === "unknown_word")) return definitions;
	if (!query.terms.some(({ term }) => isFound(term, impacts))) return definitions;
	const near = wordedNames(name, snapshot).map((one) => JSON.stringify(one));
	warn(`its words are looked for${near.length > 0 ? `, as in ${near.join(", ")}` : ""}`);
	return definitions;
}

/** Whether anything has a name, as far as its terms tell. */
function isThere({ terms, dashed }: QueryTerms, name: string, impacts: Impacts): boolean {
	if (terms.some(({ term, whole }) => (whole || terms.length === 1) && isFound(term, impacts))) return true;
	// Of one with dashes only the words are known.
	if (dashed !== undefined) return terms.every(({ term, whole }) => whole || isFound(term, impacts));
	// The last stands for the whole name; one that is too long for that has none.
	const whole = termsOf(name).at(-1);
	return whole === undefined || isFound(whole, impacts);
}

/** Not by what a file said before it was changed. */
function isFound(term: string, impacts: Impacts): boolean {
	return impacts.count(term) > 0 && impacts.of(term).docs.length > 0;
}
