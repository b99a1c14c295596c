import { plainText, UsageError } from "libmcp/command";
import { noIndex } from "../../contract/errors.ts";
import { CHUNK_KINDS } from "../../parse/chunk.ts";
import { SEARCH_ARGUMENTS, type SearchArgument } from "../../query/arguments.ts";
import { makeRequestRelative, readSearchRequest, warnOfEmptyFilters } from "../../query/request.ts";
import { describeHit, type Hit, type SearchResult } from "../../query/result.ts";
import { type FlagSpec, type FlagTable, readFlags, UnknownFlagError } from "../flags.ts";
import { buildFirstIndex, withRepository } from "../repositoryCommand.ts";
import { countNoun, EXIT, paint, paintError, paintSourceLine, type Terminal, warn } from "../terminal.ts";

/** The flags of `search`: one per argument of a search request, and those that only the command line has. */
export const SEARCH_FLAGS: FlagTable = {
	...Object.fromEntries(
		Object.entries<SearchArgument>(SEARCH_ARGUMENTS).flatMap(([name, { flag, takes, expects, choices }]) => {
			const more = { ...(expects !== undefined && { expects }), ...(choices && { choices }) };
			return flag === null ? [] : [[flag, { name, takes: flagKind(takes), ...more }]];
		}),
	),
	"--type": { name: "type", takes: "value", choices: CHUNK_KINDS },
	"--json": { name: "json", takes: "boolean" },
	"--compact": { name: "compact", takes: "boolean" },
	"--build": { name: "build", takes: "boolean" },
};

function flagKind(takes: SearchArgument["takes"]): FlagSpec["takes"] {
	switch (takes) {
		case "boolean":
			return "boolean";
		case "integer":
		case "number":
			return "number";
		case "texts":
		case "meta":
			return "values";
		default:
			return "value";
	}
}

export const flags = SEARCH_FLAGS;

export async function command(argv: readonly string[], terminal: Terminal): Promise<number> {
	const { positional, values } = readArguments(argv);
	if (positional.length === 0)
		throw new UsageError("query: expected words to search for, got nothing; pairofcleats search --help says how");
	const { json, compact, build, ...given } = values;
	const output = json === true ? (compact === true ? "compact" : "json") : compact === true ? "compact" : "full";
	const request = readSearchRequest({ ...given, output, query: positional.join(" ") });
	return withRepository(values, async (repository) => {
		if (build !== false) await buildFirstIndex(repository, terminal);
		else if (!repository.indexed()) throw noIndex();
		// The text output reads the score parts to mark hits that only vectors found.
		const asked = json === true ? request : { ...request, explain: true };
		const found = await repository.search(makeRequestRelative(repository.root, asked), terminal.interrupted);
		const result = { ...found, warnings: [...found.warnings, ...warnOfEmptyFilters(given, request)] };
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

/** Hits for a person: one line each when compact, else with their snippet. */
export function renderHits(result: SearchResult, compact: boolean, explain: boolean, terminal: Terminal): void {
	for (const { message } of result.warnings) warn(terminal, message);
	for (const [index, hit] of result.hits.entries()) {
		if (!compact && index > 0) terminal.out("");
		terminal.out(headline(hit, terminal));
		if (explain && hit.scoreParts) terminal.out(`  ${paint(terminal, "dim", explained(hit))}`);
		if (!compact) for (const line of snippetLines(hit, terminal)) terminal.out(line);
	}
	if (compact) return;
	const { matches, files, searched } = result.totals;
	const more = result.hasMore ? "; more with --offset" : "";
	const took = `${result.timings.total.toFixed(1)} ms`;
	const found =
		matches === 0
			? `nothing found (${searched} searched, ${took})`
			: `${result.hits.length} of ${countNoun(matches, "chunk")} in ${countNoun(files, "file")} (${searched} searched, ${took})${more}`;
	terminal.error(paintError(terminal, "dim", `\n${found}`));
}

function headline(hit: Hit, terminal: Terminal): string {
	const place = `${paint(terminal, "cyan", plainText(hit.path))}:${hit.startLine}-${hit.endLine}`;
	const name = plainText(hit.qualifiedName || hit.name);
	const what = hit.name === "" ? hit.kind : `${hit.kind} ${paint(terminal, "bold", name)}`;
	const copies = hit.duplicates
		? ` (+${hit.duplicates.length} ${hit.duplicates.length === 1 ? "copy" : "copies"})`
		: "";
	const near = isFoundByMeaning(hit) ? " (near in meaning)" : "";
	return `${place}  ${what}${describeHit(hit)}${copies}${near}`;
}

/** Whether vectors alone found the file of a hit. If that is so for all hits, a warning says it instead. */
function isFoundByMeaning({ snippet, scoreParts }: Hit): boolean {
	if (snippet.matched.length > 0 || scoreParts === undefined) return false;
	const { words, path, definition } = scoreParts;
	return words === 0 && path === 0 && definition === 0;
}

function explained(hit: Hit): string {
	const parts = Object.entries(hit.scoreParts ?? {}).filter(([, value]) => value !== 0);
	return `${hit.score} = ${parts.map(([name, value]) => `${name} ${value}`).join(" + ")}`;
}

function snippetLines(hit: Hit, terminal: Terminal): string[] {
	const { startLine, lines, matched } = hit.snippet;
	const width = String(startLine + lines.length).length;
	return lines.map((text, index) => {
		const line = startLine + index;
		const hitLine = matched.includes(line);
		const number = String(line).padStart(width);
		return `  ${paint(terminal, hitLine ? "green" : "dim", number)} ${hitLine ? ">" : " "} ${paintSourceLine(text)}`;
	});
}
