import type { Command } from "./commands.ts";

/** Offers one of metatools' commands: with only Holdfast installed, `metatools` is not on the PATH. */
export function wrapGatewayCommand(name: "approve" | "login" | "logout"): Command {
	return {
		help: HELP[name],
		async run(args) {
			const { runAs } = await import("metatools/cli");
			const code = await runAs(`holdfast ${name}`, [name, ...args]);
			return code === 0 || code === 2 ? code : 1;
		},
	};
}

const HELP = {
	approve: `Usage: holdfast approve [<tool> ...] [--config FILE] [--json]

Tools whose description, schema or annotations changed since they were approved
are held back. Without a tool this lists those that wait, and why; with some
(* for any, as in 'files:*') it approves them as their servers describe them
now. A gateway that runs notices within a second.

  --config FILE  the gateway's configuration; default: your own, if there is one`,
	login: `Usage: holdfast login <server> [--scope SCOPES] [--config FILE] [--json]

Logs in to a server behind the gateway that asks for OAuth: prints an address to
open in your browser, and keeps what comes back in a file only you can read.

  --scope SCOPES  what to ask for, in place of what the server names
  --config FILE   the gateway's configuration; default: your own, if any`,
	logout: `Usage: holdfast logout <server> [--config FILE] [--json]

Forgets what holdfast login left behind.

  --config FILE  the gateway's configuration; default: your own, if there is one`,
} as const;
