import { commandFailure, failureText, ownWords, suggestion, UsageError } from "libmcp/command";
import type { Command } from "./command.ts";
import { COMMANDS, loadCommand } from "./commands.ts";
import { insteadOf } from "./otherWords.ts";
import { complain, say, tellHelp } from "./output.ts";
import { isUsageError } from "./usage.ts";

/** Runs one subcommand. Exit codes: 0 done, 1 failed, 2 wrong usage. */
export async function main(argv: readonly string[]): Promise<void> {
	// `help up` is another way to say `up --help`.
	const [name, ...rest] = argv[0] === "help" && argv[1] !== undefined ? [argv[1], "--help"] : argv;
	if (name === undefined || name === "help" || name === "--help" || name === "-h") {
		tellHelp(overview());
		return;
	}
	if (["version", "--version", "-V", "-v"].includes(name)) {
		const { readVersion } = await import("../config/installation.ts");
		const told = { name: "holdfast", version: readVersion() };
		say(rest.includes("--json") ? JSON.stringify(told) : `${told.name} ${told.version}`);
		return;
	}
	const command = await loadCommand(name);
	if (command === undefined) {
		const instead = name.startsWith("-") ? "options come after the command" : insteadOf(name);
		const hint =
			instead === undefined ? suggestion(name, Object.keys(COMMANDS), "holdfast --help lists them") : `; ${instead}`;
		process.exitCode = refused("holdfast", rest, new UsageError(`no command ${JSON.stringify(name)}${hint}`));
		return;
	}
	process.exitCode = await run(command, name, rest);
}

async function run(command: Command, name: string, args: readonly string[]): Promise<number> {
	const own = ownWords(args);
	if (own.includes("--help") || own.includes("-h")) {
		tellHelp(command.help);
		return 0;
	}
	try {
		return await command.run(args);
	} catch (error) {
		return refused(`holdfast ${name}`, args, error);
	}
}

/** Prints the failure as a line, and with `--json` also as an object; returns the exit code. */
function refused(speaker: string, args: readonly string[], error: unknown): 1 | 2 {
	const message = failureText(error);
	complain(`${speaker}: ${message}`);
	const code = isUsageError(error) ? "usage" : "failed";
	if (ownWords(args).includes("--json")) say(JSON.stringify(commandFailure(code, message)));
	return code === "usage" ? 2 : 1;
}

function overview(): string {
	const rows = Object.entries(COMMANDS);
	const width = Math.max(...rows.map(([name]) => name.length));
	return [
		"MCP servers that survive crashes and upgrades.",
		"",
		"Usage: holdfast <command> [options]",
		"",
		...rows.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
		"",
		"To begin: holdfast up in a repository, or holdfast wrap <client> to protect the",
		"servers that an agent starts today.",
		"",
		"Run holdfast <command> --help for details.",
		"Exit codes: 0 done, 1 failed, 2 wrong usage.",
	].join("\n");
}
