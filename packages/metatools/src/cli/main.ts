import { suggestion, UsageError } from "libmcp/command";
import { VERSION } from "../server/version.ts";
import { type Console, processConsole } from "./console.ts";
import { readFlags } from "./flags.ts";
import { helpText } from "./help.ts";
import { EXIT, tellFailure } from "./tellFailure.ts";

/** Runs the command line and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
	process.exitCode = await run(argv, processConsole("metatools"));
}

/** Runs one command under another's name and returns its exit code. */
export function runAs(speaker: string, argv: readonly string[]): Promise<number> {
	return run(argv, processConsole(speaker));
}

const COMMANDS = ["serve", "tools", "login", "logout", "approve", "config", "version", "help"];

/** Runs one command, loading only what it needs, and returns its exit code. */
export async function run(argv: readonly string[], console: Console): Promise<number> {
	const [command = "help", ...rest] = argv;
	try {
		if (rest.includes("--help") || rest.includes("-h")) return await run(["help", command], console);
		switch (command) {
			case "serve":
				return await (await import("./serve.ts")).serveCommand(rest, console);
			case "tools":
				return await (await import("./toolsCommand.ts")).toolsCommand(rest, console);
			case "login":
				return await (await import("./loginCommand.ts")).loginCommand(rest, console);
			case "logout":
				return await (await import("./loginCommand.ts")).logoutCommand(rest, console);
			case "approve":
				return await (await import("./approveCommand.ts")).approveCommand(rest, console);
			case "config":
				return await (await import("./configCommand.ts")).configCommand(rest, console);
			case "version":
			case "--version":
			case "-V":
			case "-v":
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
