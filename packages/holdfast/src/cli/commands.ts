import type { Command, CommandRow } from "./command.ts";

/** Every command, in the order of the overview. */
export const COMMANDS: Readonly<Record<string, CommandRow>> = {
	up: {
		summary: "serve the gateway, built-in servers and the console on one address",
		load: () => import("./upCommand.ts"),
	},
	serve: { summary: "the gateway on standard input and output", load: () => import("./serveCommand.ts") },
	install: { summary: "put Holdfast into a coding agent's list of servers", load: () => import("./installCommand.ts") },
	uninstall: { summary: "take it out again", load: () => import("./uninstallCommand.ts") },
	wrap: { summary: "put a host in front of every server an agent starts", load: () => import("./wrapCommand.ts") },
	import: { summary: "put your agents' servers behind the gateway", load: () => import("./importCommand.ts") },
	doctor: { summary: "check the configuration and every server", load: () => import("./doctorCommand.ts") },
	approve: { summary: "see which tools changed, and let them run again", load: () => ofGateway("approve") },
	login: { summary: "log in to a server that asks for it", load: () => ofGateway("login") },
	logout: { summary: "delete that login", load: () => ofGateway("logout") },
	host: { summary: "put a stable host in front of any stdio MCP server", load: () => import("./hostCommand.ts") },
	rollout: { summary: "upgrade a running server without losing a call", load: () => import("./rolloutCommand.ts") },
	status: { summary: "show your running hosts and servers", load: () => import("./statusCommand.ts") },
	logs: { summary: "read what a host or a server did", load: () => import("./logsCommand.ts") },
	skill: { summary: "link the mcp-bootstrap skill into your coding agent", load: () => import("./skillCommand.ts") },
	completion: {
		summary: "let the tab key complete all this",
		// It completes all commands, including itself.
		load: async () => (await import("./completionCommand.ts")).completionOf(COMMANDS),
	},
};

async function ofGateway(name: "approve" | "login" | "logout"): Promise<Command> {
	const { gatewayCommand } = await import("./gatewayCommand.ts");
	return gatewayCommand(name);
}

export async function loadCommand(name: string): Promise<Command | undefined> {
	return Object.hasOwn(COMMANDS, name) ? COMMANDS[name]?.load() : undefined;
}
