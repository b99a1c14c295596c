// What people say to assistants, with the name of what they want, from public sets of utterances.
import type { Pair } from "./pair.ts";
import { readText, toList } from "./pair.ts";

/** An intent is a tool with no more than a name, so a few dozen of its utterances say all there is to learn. */
const MOST_OF_ONE = 60;

/** CLINC150: 150 intents of ten domains. */
export function* clincPairs(checkout: string): Iterable<Pair> {
	const sets: Record<string, unknown> = JSON.parse(readText(checkout, "data/data_full.json") || "{}");
	const said = toList(sets.train).map((one): [string, string] => {
		const [text, intent] = toList(one);
		return [String(text), String(intent)];
	});
	yield* intentPairs("clinc", said);
}

/** Banking77: questions to a bank. */
export function* bankingPairs(checkout: string): Iterable<Pair> {
	const lines = readText(checkout, "banking_data/train.csv").split("\n").slice(1);
	const said = lines.map((line): [string, string] => {
		const comma = line.lastIndexOf(",");
		return [line.slice(0, comma).replaceAll('"', ""), line.slice(comma + 1).trim()];
	});
	yield* intentPairs("banking", said);
}

/** The NLU evaluation data (HWU64): commands to an assistant at home. */
export function* homePairs(checkout: string): Iterable<Pair> {
	const folder = [checkout, "Datasets/HWU64/train"] as const;
	const intents = readText(...folder, "label").split("\n");
	const said = readText(...folder, "seq.in").split("\n");
	yield* intentPairs(
		"home",
		said.map((text, at) => [text, intents[at] ?? ""]),
	);
}

function* intentPairs(catalogue: string, said: readonly (readonly [text: string, intent: string])[]): Iterable<Pair> {
	const times = new Map<string, number>();
	for (const [query, intent] of said) {
		const before = times.get(intent) ?? 0;
		times.set(intent, before + 1);
		if (query === "" || intent === "" || before >= MOST_OF_ONE) continue;
		yield { kind: "task", catalogue, query, tool: { name: intent, description: "", parameters: [] } };
	}
}
