import { suggestion, UsageError } from "libmcp/command";
import { VERSION } from "../server/version.ts";
import { approveCommand } from "./approveCommand.ts";
import { configCommand } from "./configCommand.ts";
import { type Console, processConsole } from "./console.ts";
import { readFlags } from "./flags.ts";
import { helpText } from "./help.ts";
import { loginCommand, logoutCommand } from "./loginCommand.ts";
import { serveCommand } from "./serve.ts";
import { EXIT, tellFailure } from "./tellFailure.ts";
import { toolsCommand } from "./toolsCommand.ts";

/** Runs the command line and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
	process.exitCode = await run(argv, processConsole("metatools"));
}

/** Runs one command under another's name and returns its exit code. */
export function runAs(speaker: string, argv: readonly string[]): Promise<number> {
	return run(argv, processConsole(speaker));
}

const COMMANDS = ["serve", "tools", "login", "logout", "approve", "config", "version", "help"];

/** Runs one command and returns its exit code. */
export async function run(argv: readonly string[], console: Console): Promise<number> {
	const [command = "help", ...rest] = argv;
	try {
		if (rest.includes("--help") || rest.includes("-h")) return await run(["help", command], console);
		switch (command) {
			case "serve":
				return await serveCommand(rest, console);
			case "tools":
				return await toolsCommand(rest, console);
			case "login":
				return await loginCommand(rest, console);
			case "logout":
				return await logoutCommand(rest, console);
			case "approve":
				return await approveCommand(rest, console);
			case "config":
				return await configCommand(rest, console);
			case "version":
			case "--version":
				console.out(
					readFlags(rest).json ? JSON.stringify({ name: "metatools", version: VERSION }) : `metatools ${VERSION}`,
				);
				return EXIT.done;
			case "help":
			case "--help":
			case "-h":
				console.tell(helpText(rest[0]));
				return EXIT.done;
			default:
				throw new UsageError(
					command.startsWith("-")
						? `command: expected one such as serve first, got ${command}; metatools --help lists them`
						: `no command ${command}${suggestion(command, COMMANDS, "metatools --help lists them")}`,
				);
		}
	} catch (thrown) {
		return tellFailure(thrown, command !== "serve" && rest.includes("--json"), console);
	}
}
