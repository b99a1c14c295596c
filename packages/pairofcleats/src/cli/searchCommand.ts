import { UsageError } from "libmcp/command";
import { noIndex } from "../contract/errors.ts";
import { emptyFilters } from "../query/emptyFilters.ts";
import { searchInRepository } from "../query/inRepository.ts";
import { readSearchRequest } from "../query/readRequest.ts";
import { EXIT } from "./exit.ts";
import { firstBuild } from "./firstBuild.ts";
import { readFlags, UnknownFlagError } from "./flags.ts";
import { withRepository } from "./openFromFlags.ts";
import { renderHits } from "./renderHits.ts";
import { SEARCH_FLAGS } from "./searchFlags.ts";
import type { Terminal } from "./terminal.ts";

export const flags = SEARCH_FLAGS;

export async function command(argv: readonly string[], terminal: Terminal): Promise<number> {
	const { positional, values } = readArguments(argv);
	if (positional.length === 0)
		throw new UsageError("query: expected words to search for, got nothing; pairofcleats search --help says how");
	const { json, compact, build, ...given } = values;
	const output = json === true ? (compact === true ? "compact" : "json") : compact === true ? "compact" : "full";
	const request = readSearchRequest({ ...given, output, query: positional.join(" ") });
	return withRepository(values, async (repository) => {
		if (build !== false) await firstBuild(repository, terminal);
		else if (!repository.indexed()) throw noIndex();
		// The text output reads the score parts to mark hits that only vectors found.
		const asked = json === true ? request : { ...request, explain: true };
		const found = await repository.search(searchInRepository(repository.root, asked), terminal.interrupted);
		const result = { ...found, warnings: [...found.warnings, ...emptyFilters(given, request)] };
		if (json === true) terminal.out(JSON.stringify(result));
		else renderHits(result, compact === true, request.explain === true, terminal);
		return result.hits.length === 0 ? EXIT.nothingFound : EXIT.done;
	});
}

/** A single unknown option may be the query itself, so the error says how to search for it. */
function readArguments(argv: readonly string[]): ReturnType<typeof readFlags> {
	try {
		return readFlags(argv, SEARCH_FLAGS);
	} catch (thrown) {
		if (!(thrown instanceof UnknownFlagError) || argv.length > 1) throw thrown;
		throw new UsageError(`no option ${argv[0]}; to look for it: search -- ${argv[0]}`);
	}
}
