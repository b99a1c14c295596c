import { once } from "node:events";
import { apiToken } from "../contract/environment.ts";
import { DEFAULT_PORT, startApi } from "../http/startApi.ts";
import { runnerOptions } from "../server/serveMcp.ts";
import { EXIT } from "./exit.ts";
import { type FlagSpec, readFlags, textFlag, UsageError } from "./flags.ts";
import { repositoriesOf } from "./mcpCommand.ts";
import type { Terminal } from "./terminal.ts";

export const flags: Readonly<Record<string, FlagSpec>> = {
	"--repo": { name: "repositories", takes: "values" },
	"--host": { name: "host", takes: "value" },
	"--port": { name: "port", takes: "number" },
	"--origin": { name: "origins", takes: "values" },
};

/** Serves the HTTP API until interrupted. */
export async function command(argv: readonly string[], terminal: Terminal): Promise<number> {
	const { interrupted } = terminal;
	const { positional, values } = readFlags(argv, flags);
	if (positional.length > 0) throw new UsageError(`api: expected flags only, got ${JSON.stringify(positional[0])}`);
	const host = textFlag(values, "host");
	const token = apiToken();
	const api = await startApi({
		...runnerOptions(),
		repositories: repositoriesOf(values),
		port: portOf(values.port),
		origins: Array.isArray(values.origins) ? values.origins.map(String) : [],
		...(host !== undefined && { host }),
		...(token !== undefined && token !== "" && { token }),
	});
	terminal.out(`pairofcleats api: ${api.address}`);
	if (!interrupted.aborted) await once(interrupted, "abort");
	await api.close();
	return EXIT.done;
}

function portOf(port: unknown): number {
	if (port === undefined) return DEFAULT_PORT;
	if (typeof port === "number" && Number.isInteger(port) && port >= 0 && port < 65_536) return port;
	throw new UsageError(`--port: expected a number from 0 to 65535, got ${String(port)}`);
}
