import { type ParsedQuery, parseQuery, stripColours } from "../../query/parseQuery.ts";
import { isDeclared, isListed } from "../../rank/names/definitions.ts";
import type { Impacts } from "../../rank/score/impacts.ts";
import { type AskedDeclaration, readDeclarationAsked, readUsageAsked } from "../../rank/terms/declarationAsked.ts";
import type { QueryTerms } from "../../rank/terms/gatheredTerms.ts";
import { readQueryTerms } from "../../rank/terms/queryTerms.ts";
import type { OpenIndex } from "../openIndex.ts";

/** What a query asks for, as far as its words and the names in the index tell. */
export type ReadQuestion = {
	/** The query, or the name that is all it asks for. */
	readonly text: string;
	readonly asked: ParsedQuery;
	readonly terms: QueryTerms;
};

export function readQuestion(query: string, index: OpenIndex, impacts: Impacts): ReadQuestion {
	const written = stripColours(query);
	const declaration = findDeclaration(written, index, impacts);
	const used = declaration ? undefined : readUsageAsked(written);
	const text = declaration?.name ?? used ?? written;
	const asked = parseQuery(text);
	const terms = { ...readQueryTerms(asked, text), kinds: declaration?.kinds, asksForUses: used !== undefined };
	return { text, asked, terms };
}

/** The declaration that the query asks for in words, if there is one of that name. */
function findDeclaration(
	query: string,
	{ snapshot, reader, texts }: OpenIndex,
	impacts: Impacts,
): AskedDeclaration | undefined {
	const asked = readDeclarationAsked(query);
	if (!asked) return undefined;
	return isDeclared(snapshot, reader, asked) || isListed(asked, { snapshot, reader, texts, impacts })
		? asked
		: undefined;
}
