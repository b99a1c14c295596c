import { COMPLETED_SHELLS, completionScript, UsageError } from "libmcp/command";
import { CLIENT_IDS } from "../clients/clientTable.ts";
import { nameGiven, readArguments } from "./arguments.ts";
import type { Command, CommandRow } from "./commands.ts";
import { listLoggedNames } from "./hosts/logsCommand.ts";
import { say } from "./output.ts";

type Commands = Readonly<Record<string, CommandRow>>;

/** The command that prints a script which completes these commands. */
export function createCompletion(commands: Commands): Command {
	return { help: HELP, run: (args) => run(commands, args) };
}

const HELP = `Usage: holdfast completion bash|zsh|fish

Prints a script by which the shell's tab key completes commands, options,
clients and the names of servers:

  bash  eval "$(holdfast completion bash)" in ~/.bashrc
  zsh   eval "$(holdfast completion zsh)" in ~/.zshrc
  fish  holdfast completion fish | source in ~/.config/fish/config.fish`;

async function run(commands: Commands, args: readonly string[]): Promise<number> {
	const { values, words, after } = readArguments(args, { words: { type: "boolean" } }, 1, "another");
	if (values.words === true) {
		const begun = after?.at(-1) ?? "";
		const lines = await following(commands, after?.slice(0, -1) ?? []);
		for (const line of lines) if (line.startsWith(begun)) say(line);
		return 0;
	}
	const [shell = ""] = words;
	const script = completionScript("holdfast", shell);
	if (script === undefined)
		throw new UsageError(`shell: expected ${COMPLETED_SHELLS.join(", ")}, got ${nameGiven(shell)}`);
	say(script);
	return 0;
}

const OPTION = /^--[a-z][a-z-]*$/;

/** The words that may come next, each with a description after a tab; none where a file name may come next. */
async function following(commands: Commands, [name, ...words]: readonly string[]): Promise<readonly string[]> {
	const rows = Object.entries(commands).map(([command, { summary }]) => `${command}\t${summary}`);
	if (name === undefined) return [...rows, "help", "--help", "--version"];
	if (name === "help") return rows;
	const command = Object.hasOwn(commands, name) ? await commands[name]?.load() : undefined;
	if (command === undefined || words.includes("--")) return [];
	const last = words.at(-1) ?? "";
	// In the help, an option's value comes after it: `--repo PATH`, `--scope user|project`.
	const [, value] = OPTION.test(last)
		? (new RegExp(`${last} ([A-Z<\\d]|[\\w-]+(?:\\|[\\w-]+)+)`).exec(command.help) ?? [])
		: [];
	if (value !== undefined) return value.includes("|") ? value.split("|") : [];
	const named = await namesFor(name, words);
	// Only import takes several names, each of them once.
	const names = name === "import" || !named.some((one) => words.includes(one)) ? named : [];
	const options = command.help.match(/--[a-z][a-z-]*/g) ?? [];
	return [...new Set([...names.filter((one) => !words.includes(one)), ...options, "--help"])];
}

async function namesFor(command: string, words: readonly string[]): Promise<readonly string[]> {
	switch (command) {
		case "install":
		case "uninstall":
		case "wrap":
		case "import":
			return CLIENT_IDS;
		case "login":
		case "logout":
			return serversWithUrl(words);
		case "logs":
			return listLoggedNames();
		case "rollout": {
			const { runningHosts } = await import("libmcp/control");
			return runningHosts().map((host) => host.name);
		}
		case "completion":
			return COMPLETED_SHELLS;
		case "skill":
			return ["link"];
		default:
			return [];
	}
}

/** The configured servers that one can log in to; none if the configuration cannot be read. */
async function serversWithUrl(words: readonly string[]): Promise<readonly string[]> {
	const { loadConfig } = await import("metatools/config");
	const configFile = words.includes("--config") ? words[words.indexOf("--config") + 1] : undefined;
	try {
		const { servers } = loadConfig({ flags: {}, environment: process.env, ...(configFile && { configFile }) });
		return servers.filter((server) => "url" in server).map(({ name }) => name);
	} catch {
		return [];
	}
}
