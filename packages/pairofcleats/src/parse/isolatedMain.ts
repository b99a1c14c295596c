import type { IsolatedAnswer, IsolatedRequest } from "./isolatedParser.ts";
import { parseGrammar } from "./parseGrammar.ts";

process.on("disconnect", () => process.exit(0));
process.on("message", (request: IsolatedRequest) => {
	void answer(request);
});

async function answer({ id, grammar, language, text, rules }: IsolatedRequest): Promise<void> {
	const parsed = await parseGrammar(grammar, language, text, rules).catch(() => undefined);
	const reply: IsolatedAnswer = { id, parsed };
	process.send?.(reply);
}
