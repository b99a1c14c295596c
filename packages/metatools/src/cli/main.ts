import { commandFailure, failureText, suggestion, UsageError } from "libmcp/command";
import { ToolError } from "../contract/errors.ts";
import { renderErrorLine } from "../server/answers/porcelain.ts";
import { VERSION } from "../server/version.ts";
import { ConfigError } from "./commandConfig.ts";
import { type Console, createProcessConsole } from "./console.ts";
import { readFlags } from "./flags.ts";
import { renderHelp } from "./help.ts";

/** Runs the command line and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
	process.exitCode = await run(argv, createProcessConsole("metatools"));
}

/** Runs one command under another's name and returns its exit code. */
export function runAs(speaker: string, argv: readonly string[]): Promise<number> {
	return run(argv, createProcessConsole(speaker));
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
				console.tell(renderHelp(rest[0]));
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

export const EXIT = { done: 0, failed: 1, usage: 2, config: 3 } as const;

/** Prints a failure as one line, and with --json also as an object; returns the exit code. */
export function tellFailure(thrown: unknown, json: boolean, console: Console): number {
	const say = (failure: object) => json && console.out(JSON.stringify(failure));
	if (thrown instanceof ToolError) {
		const { code, message, ...details } = thrown.object;
		console.error(renderErrorLine(thrown.object));
		say(commandFailure(code, message, details));
		return EXIT.failed;
	}
	const code = thrown instanceof UsageError ? "usage" : thrown instanceof ConfigError ? "config" : "failed";
	const message = failureText(thrown);
	console.complain(message);
	say(commandFailure(code, message));
	return EXIT[code];
}
