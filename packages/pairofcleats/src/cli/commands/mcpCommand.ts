import { endProcess, tellWaiting, UsageError } from "libmcp/command";
import { mcpTransport, queueMax, toolTimeoutMs } from "../../contract/environment.ts";
import { readExistingFolder } from "../../repo/failures.ts";
import { type FlagTable, readFlags } from "../flags.ts";
import { EXIT } from "../terminal.ts";

export const flags: FlagTable = {
	"--repo": { name: "repositories", takes: "values" },
	"--direct": { name: "direct", takes: "boolean" },
};

/** Serves MCP on stdin and stdout: by default under a host, and with the legacy framing only on request. */
export async function command(argv: readonly string[]): Promise<number> {
	const { positional, values } = readFlags(argv, flags);
	if (positional.length > 0) throw new UsageError(`mcp: expected flags only, got ${JSON.stringify(positional[0])}`);
	const repositories = readRepositories(values);
	const isLegacy = mcpTransport() === "legacy";
	if (!isLegacy) tellWaiting("pairofcleats mcp");
	if (isLegacy) {
		const { serveLegacy } = await import("../../legacy/serveLegacy.ts");
		await serveLegacy(repositories);
	} else if (values.direct === true) {
		const { serveMcp } = await import("../../server/serveMcp.ts");
		await serveMcp(repositories);
	} else {
		// Checked here, once: a host would restart a server that fails on this again and again.
		for (const folder of repositories) readExistingFolder(folder);
		for (const read of [toolTimeoutMs, queueMax]) read();
		const { hostMcp } = await import("../../server/hostMcp.ts");
		await hostMcp(
			process.argv[1] ?? "",
			argv.filter((word) => word !== "--no-direct"),
		);
	}
	// Handles left open by dependencies must not keep a server without a client alive.
	endProcess();
	return EXIT.done;
}

export function readRepositories({ repositories }: Readonly<Record<string, unknown>>): readonly string[] {
	return Array.isArray(repositories) ? repositories.map(String) : [];
}
