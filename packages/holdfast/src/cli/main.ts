import { commandFailure, failureText, ownWords, suggestion, UsageError } from "libmcp/command";
import { isUsageError } from "./arguments.ts";
import { COMMANDS, type Command, loadCommand } from "./commands.ts";
import { printWarning, say, tellHelp } from "./output.ts";

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
		const instead = name.startsWith("-") ? "options come after the command" : findCounterpart(name);
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
	printWarning(`${speaker}: ${message}`);
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

/** Names Holdfast's counterpart to a command that people know from other tools. */
export function findCounterpart(word: string): string | undefined {
	return INSTEAD.find(({ words }) => words.includes(word))?.says;
}

const INSTEAD: readonly { readonly words: readonly string[]; readonly says: string }[] = [
	{
		words: ["upgrade", "update", "restart", "reload", "redeploy"],
		says: "holdfast rollout <name> starts a server anew without losing a call",
	},
	{
		words: ["start", "run", "dev", "console", "ui", "web", "dashboard"],
		says: "holdfast up serves the gateway and the console",
	},
	{ words: ["stop", "down", "kill", "quit"], says: "Ctrl-C stops it where it runs" },
	{ words: ["ls", "list", "ps", "top", "servers"], says: "holdfast status shows what runs" },
	{
		words: ["add", "rm", "remove", "delete", "config", "init"],
		says: "servers are added and removed in the configuration, whose file holdfast doctor names",
	},
	{
		words: ["enable", "disable"],
		says: 'a server is switched off by "disabled": true in its entry of the configuration, whose file holdfast doctor names',
	},
	{ words: ["tools", "call"], says: "metatools tools finds, describes and runs the tools of your servers" },
	{ words: ["setup", "connect", "link"], says: "holdfast install <client> connects a coding agent" },
	{ words: ["disconnect", "unlink"], says: "holdfast uninstall <client> takes it out of a coding agent" },
	{ words: ["unwrap"], says: "holdfast wrap <client> --undo takes the hosts out again" },
	{ words: ["check", "health", "test", "diagnose", "validate"], says: "holdfast doctor checks every server" },
	{ words: ["tail", "trace", "events"], says: "holdfast logs <name> tells what a server did" },
	{ words: ["auth", "signin"], says: "holdfast login <server> logs in" },
	{ words: ["trust", "allow"], says: "holdfast approve lets changed tools run again" },
	{ words: ["proxy", "exec", "supervise"], says: "holdfast host -- <command> keeps a server alive" },
	{ words: ["gateway", "mcp", "stdio"], says: "holdfast serve is the gateway on standard input and output" },
	{ words: ["search", "index"], says: "code is searched by pairofcleats" },
];
