import type { ParsedQuery } from "../../query/parseQuery.ts";
import type { Warning } from "../../query/result.ts";
import { type Dictionary, readUnknownWords } from "../../query/unknownWords.ts";
import { addListedNames, type Definitions, findDefinitions } from "../../rank/names/definitions.ts";
import { addMembers, hasForeignOwner } from "../../rank/names/members.ts";
import { findNearName, findWordedNames } from "../../rank/names/nearName.ts";
import type { Impacts } from "../../rank/score/impacts.ts";
import type { QueryTerms } from "../../rank/terms/gatheredTerms.ts";
import { readQueryTerms } from "../../rank/terms/queryTerms.ts";
import { WEIGHTS } from "../../rank/weights.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { STOP_WORDS } from "../../tokens/wordForms.ts";
import { splitIntoTerms } from "../../tokens/words.ts";
import type { OpenIndex } from "../openIndex.ts";

/**
 * The definitions of the symbols that the query names. If an identifier is nowhere in the index, warns and returns the
 * definitions of the name that was likely meant.
 */
export function findAskedDefinitions(
	query: QueryTerms,
	index: OpenIndex,
	impacts: Impacts,
	warnings: Warning[],
): Definitions {
	const { snapshot, reader } = index;
	const definitions = declared(query, index, impacts);
	const name = query.dashed ?? query.symbols.at(-1);
	if (definitions.docs.size > 0 || query.shape !== "symbol" || name === undefined) return definitions;
	if (isThere(query, name, impacts)) return definitions;
	const warn = (rest: string): void => {
		const message = `nothing searched has ${JSON.stringify(name)}; ${rest}`;
		warnings.push({ code: "unknown_word", field: "query", message });
	};
	const meant = query.dashed === undefined ? findNearName(name, snapshot) : undefined;
	if (meant !== undefined) {
		warn(`${JSON.stringify(meant)} is shown`);
		return findDefinitions(snapshot, reader, [meant]);
	}
	// Other warnings already cover a replaced word and a query without any known word.
	if (warnings.some(({ code }) => code === "unknown_word")) return definitions;
	if (!query.terms.some(({ term }) => isFound(term, impacts))) return definitions;
	const near = findWordedNames(name, snapshot, reader).map((one) => JSON.stringify(one));
	warn(`its words are looked for${near.length > 0 ? `, as in ${near.join(", ")}` : ""}`);
	return definitions;
}

function declared(
	{ owned, symbols, kinds, shape, dashed, isSpelled }: QueryTerms,
	index: OpenIndex,
	impacts: Impacts,
): Definitions {
	const { snapshot, reader, texts } = index;
	const certaintyOf = (name: string): number => rarity(name, snapshot, impacts);
	if (shape === "question" && !isSpelled) return findDefinitions(snapshot, reader, symbols, kinds, certaintyOf);
	const found = (names: readonly string[]) => findDefinitions(snapshot, reader, names, kinds);
	const [name] = symbols;
	if (name === undefined || shape !== "symbol" || dashed !== undefined) return found(symbols);
	const all = found(symbols);
	const own = owned === undefined ? all : found([name]);
	// If another package owns the name, a declaration here with the same last part is unrelated.
	const isForeign = owned !== undefined && own.docs.size === 0 && hasForeignOwner(owned, snapshot, reader);
	const definitions = isForeign ? own : all;
	const members = owned === undefined ? definitions : addMembers(owned, definitions, index);
	const isMember = members.docs.size > definitions.docs.size;
	if (isForeign || isMember || all.asWritten === true) return members;
	return addListedNames(name, definitions, { snapshot, reader, texts, impacts });
}

/** From 1 for a rare name towards 0 for one that half the repository has: that one tells little of what is asked. */
function rarity(name: string, snapshot: Snapshot, impacts: Impacts): number {
	const whole = splitIntoTerms(name).at(-1);
	if (whole === undefined) return 1;
	const common = Math.max(WEIGHTS.commonName * snapshot.alive.length, WEIGHTS.commonNameLeast);
	return common / (common + impacts.count(whole));
}

/** Whether the name is anywhere in the index, as far as its terms tell. */
function isThere({ terms, dashed }: QueryTerms, name: string, impacts: Impacts): boolean {
	if (terms.some(({ term, whole }) => (whole || terms.length === 1) && isFound(term, impacts))) return true;
	// The index has only the words of a dashed name.
	if (dashed !== undefined) return terms.every(({ term, whole }) => whole || isFound(term, impacts));
	// The last term is the whole name; a name that is too long has none.
	const whole = splitIntoTerms(name).at(-1);
	return whole === undefined || isFound(whole, impacts);
}

/** Live documents only: `count` includes the old versions of changed files. */
function isFound(term: string, impacts: Impacts): boolean {
	return impacts.count(term) > 0 && impacts.of(term).docs.length > 0;
}

const NO_DICTIONARY: Dictionary = { has: () => false };

/**
 * The terms of the query plus, for each word that the index lacks, the terms of the words likely meant: the parts of a
 * run-together word, or the word one letter away from a misspelt one.
 */
export function widenQuery(
	query: QueryTerms,
	{ words }: ParsedQuery,
	dictionary: Dictionary | undefined,
	impacts: Impacts,
	snapshot: Snapshot,
	warnings: Warning[],
): QueryTerms {
	if (!dictionary && !isMostlyUnknown(query, impacts, snapshot)) return query;
	const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
	const { split, suggestions } = readUnknownWords(telling, dictionary ?? NO_DICTIONARY, (term) =>
		impacts.liveCount(term),
	);
	for (const [word, meant] of suggestions) {
		const message = `nothing indexed has ${JSON.stringify(word)}; did you mean ${JSON.stringify(meant)}? It is looked for instead`;
		warnings.push({ code: "unknown_word", field: "query", message });
	}
	if (split.size === 0 && suggestions.size === 0) return query;
	const found = [...[...split.values()].map((parts) => parts.join("_")), ...suggestions.values()];
	const more = readQueryTerms({ words: found }, "");
	const known = new Set(query.terms.map(({ term }) => term));
	return {
		...query,
		terms: [...query.terms, ...more.terms.filter(({ term }) => !known.has(term))],
		keywords: [...new Set([...query.keywords, ...more.keywords])],
		meant: [query.meant, ...suggestions.values()].join(" "),
	};
}

/** Unknown words beside known ones are not worth the time, and for a name the nearest name is searched instead. */
function isMostlyUnknown({ terms, shape, symbols }: QueryTerms, impacts: Impacts, snapshot: Snapshot): boolean {
	if (shape === "report") return false;
	const parts = terms.filter(({ whole }) => !whole);
	const unknown = parts.filter(({ term }) => !impacts.isLive(term));
	if (unknown.length === 0 || 2 * unknown.length < parts.length) return false;
	return shape !== "symbol" || findNearName(symbols.at(-1) ?? "", snapshot) === undefined;
}
