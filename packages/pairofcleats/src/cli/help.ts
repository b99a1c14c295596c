import { SEARCH_ARGUMENTS, type SearchArgument } from "../query/arguments.ts";
import { COMMANDS, isCommand, makeUnknownCommandError } from "./commands.ts";

/** Help for the whole program, or for one command. */
export function writeHelp(command?: string): string {
	if (command === undefined) return overview();
	if (!isCommand(command)) throw makeUnknownCommandError(command);
	const { says, usage } = COMMANDS[command];
	const head = [`${says}.`, "", `  pairofcleats ${usage}`];
	return [...head, ...(command === "search" ? searchHelp() : command === "index" ? indexHelp() : [])].join("\n");
}

function overview(): string {
	const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
	return [
		"Code intelligence for a repository.",
		"",
		"  pairofcleats <command> [arguments]",
		"",
		...Object.entries(COMMANDS).map(([name, { says }]) => `  ${name.padEnd(width)}  ${says}`),
		"",
		"Run pairofcleats <command> --help for details. All commands but completion take --repo DIR (default: the current " +
			"folder), and all but completion, mcp and api take --json.",
		"Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no index, 4 nothing found, 130 interrupted.",
	].join("\n");
}

function searchHelp(): string[] {
	const rows = Object.entries<SearchArgument>(SEARCH_ARGUMENTS)
		.filter(([, { flag }]) => flag !== null)
		.map(([, argument]) => ({
			role: argument.role,
			flag: `${argument.flag}${placeholder(argument)}`,
			says: saysOf(argument),
		}));
	const width = Math.max(...rows.map(({ flag }) => flag.length));
	const list = (role: string): string[] =>
		rows.filter((row) => row.role === role).map(({ flag, says }) => `  ${flag.padEnd(width)}  ${says}`);
	return [
		"",
		'The query: words rank the hits, and none is required; "a phrase", /a regex/ and -excluded are conditions; with AND or ' +
			"OR the whole query is a condition, and ( ) groups. An identifier finds its definition first. * lists everything that passes the filters. " +
			"One that begins with two dashes comes last, after --.",
		"",
		"Options:",
		...list("core"),
		`  ${"--json".padEnd(width)}  The whole answer as JSON`,
		`  ${"--compact".padEnd(width)}  One line per hit; with --json, hits without facts and source`,
		`  ${"--no-build".padEnd(width)}  Fail instead of building an index that is not there`,
		"",
		"Filters, all of which must hold (yes-or-no ones have a --no- form):",
		...list("filter"),
	];
}

function placeholder({ takes, choices }: SearchArgument): string {
	switch (takes) {
		case "boolean":
			return "";
		case "integer":
		case "number":
			return " N";
		case "json":
			return " JSON";
		default:
			return choices ? ` ${choices.length > 4 ? "MODE" : "NAME"}` : " TEXT";
	}
}

function saysOf({ says, choices }: SearchArgument): string {
	return choices ? `${says}: ${choices.join(", ")}` : says;
}

function indexHelp(): string[] {
	return [
		"",
		"  build      A whole new index; readers keep the old one until it is complete",
		"  update     Take in what changed on disk",
		"  status     Sizes, counts, and how far the disk has moved on",
		"  watch      Keep the index up to the disk until interrupted",
		"  validate   Read every part of the index and check it",
		"",
		"  --blame            Also record who wrote each line, for --chunk-author; kept with the index until --no-blame",
		"  --risk-rules FILE  Sources, sinks and sanitizers of your own, kept with the index until others are given; a file " +
			"with {} goes back to the built-in ones",
		"  --threads N        How many threads a build uses, 1 to 16, each for some 100 MB; default: 2 for more than 8 MB of " +
			"files where there are 3 processors",
	];
}
