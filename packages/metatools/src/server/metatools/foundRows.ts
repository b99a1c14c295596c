import { cutText } from "../../catalog/text.ts";
import type { CatalogTool } from "../../catalog/tool.ts";
import { isObject } from "../../contract/json.ts";
import { terms } from "../../search/text/words.ts";

/** A tool and what the row about it says of it. */
export type ToolRow = { readonly tool: CatalogTool; readonly says: string };

const MOST_CHARS = 90;
const SHORTEST_SENTENCE = 20;
const SHARED_WORDS = 3;
const MOST_PARAMETERS = 2;

/** Rows that tell tools apart: no words that all of them share or that only repeat the name, and the parameter asked for. */
export function foundRows(
	rows: readonly ToolRow[],
	queries: readonly string[],
): readonly (readonly [id: string, says: string])[] {
	const shared = new Map<string, number>();
	for (const [namespace, texts] of Map.groupBy(rows, ({ tool }) => tool.namespace))
		shared.set(namespace, sharedStart(texts.map(({ says }) => says.split(" "))));
	const asked = new Set(queries.flatMap(terms));
	return rows.map(({ tool, says }) => {
		const start = shared.get(tool.namespace) ?? 0;
		const own = start === 0 ? says : `… ${says.split(" ").slice(start).join(" ")}`;
		const short = cutText(firstSentence(own), MOST_CHARS);
		const named = new Set(terms(`${tool.id} ${tool.definition.name}`));
		const text = terms(short).every((term) => named.has(term)) ? "" : short;
		const parameters = parametersAskedFor(tool, asked, new Set([...named, ...terms(text)]));
		return [tool.id, [text, ...parameters].filter((part) => part !== "").join("; ")];
	});
}

/** How many words all of several texts begin with; none where that leaves nothing of one. */
function sharedStart(texts: readonly (readonly string[])[]): number {
	const [first = []] = texts;
	if (texts.length < 2) return 0;
	let count = 0;
	while (count < first.length && texts.every((words) => words[count] === first[count])) count++;
	return count >= SHARED_WORDS && texts.every((words) => words.length > count) ? count : 0;
}

function firstSentence(text: string): string {
	const sentence = /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
	return sentence.length < SHORTEST_SENTENCE ? text : sentence;
}

/** The names of parameters that the task asks for and of which nothing else in the row tells. */
function parametersAskedFor(
	tool: CatalogTool,
	asked: ReadonlySet<string>,
	told: ReadonlySet<string>,
): readonly string[] {
	const schema = tool.definition.inputSchema;
	const properties = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : [];
	return properties
		.filter((name) => {
			const own = terms(name);
			return own.length > 0 && own.every((term) => asked.has(term)) && own.some((term) => !told.has(term));
		})
		.slice(0, MOST_PARAMETERS)
		.map((name) => `takes ${name}`);
}
