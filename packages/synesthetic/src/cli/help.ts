import { folded } from "libmcp/command";
import { VARIABLES } from "../settings.ts";
import { TOOL_COMMANDS } from "./toolCommands.ts";

const COLUMNS = 80;

/** The text of `synesthetic --help`. */
export function writeHelp(): string {
	return folded(wholeText(), COLUMNS);
}

function wholeText(): string {
	const commands = Object.entries(TOOL_COMMANDS).map(([name, { operands, says }]): [string, string] => [
		[name, ...operands.map(([operand]) => `<${operand}>`)].join(" "),
		says,
	]);
	const variables = Object.entries(VARIABLES).map(([name, { says, default: preset }]): [string, string] => [
		name,
		preset === "" ? says : `${says} (${preset})`,
	]);
	return [
		"Schemas, examples, validation and diffs of JSON assets, over stdio and here.",
		"",
		"Usage: synesthetic [command] [options]",
		"",
		...table([
			["(nothing)", "serve a client on stdin and stdout; a crash loses nothing"],
			["--direct", "the same in one process"],
			["--sample", "with any of these: on the sample set of the package"],
			["--validate <path>…", "validate files or folders; --schema <name>, --watch"],
			["--demo", "a tour of the sample set"],
			...commands,
			["--json", "with --validate or a command: JSON in one line, even on a terminal"],
			["--version, --help", ""],
		]),
		"",
		"Environment",
		...table(variables),
		"",
		"Exit codes",
		...table([
			["0", "valid, or done"],
			["1", "validation failed, or the answer is no"],
			["2", "a file cannot be read or parsed, or the command is wrong"],
		]),
	].join("\n");
}

function table(rows: readonly (readonly [string, string])[]): string[] {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
}
