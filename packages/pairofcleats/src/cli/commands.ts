import type { Terminal } from "./terminal.ts";

export type Command = (argv: readonly string[], terminal: Terminal) => Promise<number>;

/** Every command: what it is for, how it is called, and where it is loaded from. */
export const COMMANDS = {
	index: {
		says: "Build, update, watch or inspect the index",
		usage: "index <build|update|status|watch|validate> [--repo DIR] [--blame] [--json]",
		load: () => import("./indexCommand.ts"),
	},
	search: {
		says: "Search the repository",
		usage: "search <query> [filters] [-n N] [--json|--compact] [--explain] [--no-build]",
		load: () => import("./searchCommand.ts"),
	},
	show: {
		says: "Show a file, or lines of it",
		usage: "show <path>[:first[-last]] [--repo DIR] [--json]",
		load: () => import("./showCommand.ts"),
	},
	map: {
		says: "List the declarations of a file or folder",
		usage: "map [path] [--repo DIR] [--json]",
		load: () => import("./mapCommand.ts"),
	},
	lint: {
		says: "Import diagnostics (SARIF or ESLint JSON) for the lint filter",
		usage: "lint import <file> [--repo DIR] [--json]",
		load: () => import("./lintCommand.ts"),
	},
	mcp: {
		says: "Serve MCP on stdin and stdout, under a host that outlives crashes",
		usage: "mcp [--repo DIR]... [--direct]",
		load: () => import("./mcpCommand.ts"),
	},
	api: {
		says: "Serve the HTTP API",
		usage: "api [--repo DIR]... [--host ADDRESS] [--port N] [--origin URL]...",
		load: () => import("./apiCommand.ts"),
	},
	completion: {
		says: "Print a shell completion script",
		usage: "completion <bash|zsh|fish>",
		load: () => import("./completionCommand.ts"),
	},
} as const satisfies Record<string, CommandRow>;

type CommandRow = {
	readonly says: string;
	readonly usage: string;
	load(): Promise<{ readonly command: Command }>;
};

export type CommandName = keyof typeof COMMANDS;

export function isCommand(name: string): name is CommandName {
	return Object.hasOwn(COMMANDS, name);
}
