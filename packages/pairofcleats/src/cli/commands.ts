import { suggestion, UsageError } from "libmcp/command";
import type { CommandModule, CommandRow } from "./command.ts";

/** All commands: purpose, usage, and module. */
export const COMMANDS = {
	index: {
		says: "Build, update, watch or inspect the index",
		usage:
			"index <build|update|status|watch|validate> [--repo DIR] [--blame] [--risk-rules FILE] [--threads N] [--json]",
		load: () => import("./commands/indexCommand.ts"),
	},
	search: {
		says: "Search the repository",
		usage: "search <query> [filters] [-n N] [--json|--compact] [--explain] [--no-build]",
		load: () => import("./commands/searchCommand.ts"),
	},
	show: {
		says: "Show a file, or lines of it",
		usage: "show <path>[:first[-last]] [--repo DIR] [--json]",
		load: () => import("./commands/showCommand.ts"),
	},
	map: {
		says: "List the declarations of a file or folder",
		usage: "map [path] [--repo DIR] [--json]",
		load: () => import("./commands/mapCommand.ts"),
	},
	lint: {
		says: "Import diagnostics (SARIF or ESLint JSON) for the lint filter",
		usage: "lint import <file> [--repo DIR] [--json]",
		load: () => import("./commands/lintCommand.ts"),
	},
	mcp: {
		says: "Serve MCP on stdin and stdout, under a host that outlives crashes",
		usage: "mcp [--repo DIR]... [--direct]",
		load: () => import("./commands/mcpCommand.ts"),
	},
	api: {
		says: "Serve the HTTP API",
		usage: "api [--repo DIR]... [--host ADDRESS] [--port N] [--origin URL]...",
		load: () => import("./commands/apiCommand.ts"),
	},
	triage: {
		says: "Import security findings, record decisions, and gather context",
		usage:
			"triage ingest <source> <file> | list | decide <finding> <status> | context <finding> | export <file> | import <file>",
		load: () => import("./commands/triageCommand.ts"),
	},
	cache: {
		says: "Report, compact, clean up or limit what is stored",
		usage: "cache <report|compact|clean|gc> [--dry-run] [--max-gb N] [--max-age-days N] [--all]",
		load: async () => (await import("./commands/toolCommands.ts")).TOOL_COMMANDS.cache,
	},
	bootstrap: {
		says: "Make a fresh repository searchable, step by step",
		usage: "bootstrap [--skip-models] [--skip-dicts] [--skip-index]",
		load: async () => (await import("./commands/toolCommands.ts")).TOOL_COMMANDS.bootstrap,
	},
	download: {
		says: "Fetch and verify models, dictionaries or extensions",
		usage: "download <models|dictionaries|extensions> [--url NAME=URL#sha256=HEX] [--update] [--force]",
		load: async () => (await import("./commands/toolCommands.ts")).TOOL_COMMANDS.download,
	},
	extensions: {
		says: "Check which extensions are installed and load",
		usage: "extensions verify [--path FILE]",
		load: async () => (await import("./commands/toolCommands.ts")).TOOL_COMMANDS.extensions,
	},
	completion: {
		says: "Print a shell completion script",
		usage: "completion <bash|zsh|fish>",
		// Completes all commands, including itself.
		load: async (): Promise<CommandModule> =>
			(await import("./commands/completionCommand.ts")).completeCommands(COMMANDS),
	},
} as const satisfies Record<string, CommandRow>;

export type CommandName = keyof typeof COMMANDS;

export function isCommand(name: string): name is CommandName {
	return Object.hasOwn(COMMANDS, name);
}

export function makeUnknownCommandError(name: string): UsageError {
	const hint = suggestion(name, Object.keys(COMMANDS), "pairofcleats --help lists them");
	return new UsageError(`no command ${JSON.stringify(name)}${hint}`);
}
