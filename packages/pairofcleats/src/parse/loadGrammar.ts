import { styleGrammar } from "./styles/styleGrammar.ts";
import type { Grammar } from "./tree/grammar.ts";
import { treeSitterGrammar } from "./tree/treeSitter.ts";

const loaded = new Map<string, Promise<Grammar>>();

/** Loads a grammar once per thread. */
export function loadGrammar(name: string): Promise<Grammar> {
	let grammar = loaded.get(name);
	if (!grammar) {
		grammar = load(name);
		loaded.set(name, grammar);
	}
	return grammar;
}

async function load(name: string): Promise<Grammar> {
	return name === "scss" || name === "less" ? styleGrammar(name) : treeSitterGrammar(name);
}
