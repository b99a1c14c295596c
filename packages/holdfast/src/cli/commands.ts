/** Every command, in the order of the overview. */
export const COMMANDS: Readonly<Record<string, CommandRow>> = {
	up: {
		summary: "serve the gateway, built-in servers and the console on one address",
		load: () => import("./serving/upCommand.ts"),
	},
	serve: { summary: "the gateway on standard input and output", load: () => import("./serving/serveCommand.ts") },
	install: {
		summary: "put Holdfast into a coding agent's list of servers",
		load: () => import("./agents/installCommand.ts"),
	},
	uninstall: { summary: "take it out again", load: () => import("./agents/uninstallCommand.ts") },
	wrap: {
		summary: "put a host in front of every server an agent starts",
		load: () => import("./agents/wrapCommand.ts"),
	},
	import: { summary: "put your agents' servers behind the gateway", load: () => import("./agents/importCommand.ts") },
	doctor: { summary: "check the configuration and every server", load: () => import("./doctorCommand.ts") },
	approve: { summary: "see which tools changed, and let them run again", load: () => ofGateway("approve") },
	login: { summary: "log in to a server that asks for it", load: () => ofGateway("login") },
	logout: { summary: "delete that login", load: () => ofGateway("logout") },
	host: { summary: "put a stable host in front of any stdio MCP server", load: () => import("./hosts/hostCommand.ts") },
	rollout: {
		summary: "upgrade a running server without losing a call",
		load: () => import("./hosts/rolloutCommand.ts"),
	},
	status: { summary: "show your running hosts and servers", load: () => import("./hosts/statusCommand.ts") },
	logs: { summary: "read what a host or a server did", load: () => import("./hosts/logsCommand.ts") },
	skill: { summary: "link the mcp-bootstrap skill into your coding agent", load: () => import("./skillCommand.ts") },
	completion: {
		summary: "let the tab key complete all this",
		// It completes all commands, including itself.
		load: async () => (await import("./completionCommand.ts")).createCompletion(COMMANDS),
	},
};

async function ofGateway(name: "approve" | "login" | "logout"): Promise<Command> {
	const { wrapGatewayCommand } = await import("./gatewayCommand.ts");
	return wrapGatewayCommand(name);
}

export async function loadCommand(name: string): Promise<Command | undefined> {
	return Object.hasOwn(COMMANDS, name) ? COMMANDS[name]?.load() : undefined;
}

/** A subcommand; `run` resolves to the exit code. */
export type Command = {
	readonly help: string;
	run(args: readonly string[]): Promise<number>;
};

/** A command's line in the overview, and a function that loads its module only when it is needed. */
export type CommandRow = { readonly summary: string; readonly load: () => Promise<Command> };
