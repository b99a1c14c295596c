import type { SearchDocument } from "../strategy.ts";
import { tellingWords } from "../text/words.ts";
import type { Bm25Options } from "./bm25Options.ts";

/** Words of one length: a part counts as much as its boost says. */
export type Field = {
	/** How far the length of the field counts against it, from 0 to 1. */
	readonly lengthPenalty: number;
	readonly length: number;
	readonly parts: readonly { readonly boost: number; readonly words: readonly string[] }[];
};

/** A parameter's description tells less about the tool than its name does. */
const PARAMETER_TEXT = 0.7;

/** The fields of a tool, always in the same order, weighted by the options. */
export function fieldsOf(document: SearchDocument, options: Bm25Options): readonly Field[] {
	const capped = (text: string) => (options.maxDocTextLength > 0 ? text.slice(0, options.maxDocTextLength) : text);
	const text = capped(document.description);
	const headline = /^.*?[.!?](?=\s|$)|^.*$/s.exec(text.trim().split("\n")[0] ?? "")?.[0] ?? "";
	const parameterNames = document.parameters.map(({ name }) => name).join(" ");
	const parameterTexts = document.parameters.map(({ description }) => description).join(" ");
	return [
		field(0.75, [options.nameBoost, `${document.name} ${document.declaredName ?? ""}`]),
		field(0.6, [options.namespaceBoost, document.namespace]),
		field(0.6, [options.tagsBoost, document.tags.join(" ")]),
		field(0.9, [options.headlineBoost, headline], [options.descriptionBoost, text.slice(headline.length)]),
		field(0.6, [options.parametersBoost, capped(parameterNames)]),
		field(0.7, [options.parametersBoost * PARAMETER_TEXT, capped(parameterTexts)]),
		field(0.6, [options.serverBoost, document.server]),
	];
}

/** The mean length of each field. */
export function averageLengths(documents: readonly (readonly Field[])[]): readonly number[] {
	const sums: number[] = [];
	for (const fields of documents)
		for (const [index, { length }] of fields.entries()) sums[index] = (sums[index] ?? 0) + length;
	return sums.map((sum) => sum / documents.length);
}

function field(lengthPenalty: number, ...texts: readonly (readonly [boost: number, text: string])[]): Field {
	const parts = texts.map(([boost, text]) => ({ boost, words: tellingWords(text) }));
	return { lengthPenalty, length: parts.reduce((sum, { words }) => sum + words.length, 0), parts };
}
