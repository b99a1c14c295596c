import { once } from "node:events";
import { errorCode, UsageError } from "libmcp/command";
import { apiToken } from "../../contract/environment.ts";
import { DEFAULT_PORT, startApi } from "../../http/startApi.ts";
import { readRunnerOptions } from "../../server/serveMcp.ts";
import { type FlagTable, quoteWord, readFlags, readTextFlag } from "../flags.ts";
import { EXIT, type Terminal } from "../terminal.ts";
import { readRepositories } from "./mcpCommand.ts";

export const flags: FlagTable = {
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
	const host = readTextFlag(values, "host");
	// An empty one would listen at every address.
	if (host === "") throw notHere(host);
	const port = portOf(values.port);
	const token = apiToken();
	const api = await startApi({
		...readRunnerOptions(),
		repositories: readRepositories(values),
		port,
		origins: originsOf(values.origins),
		...(host !== undefined && { host }),
		...(token !== undefined && { token }),
	}).catch((thrown: unknown) => {
		throw explained(thrown, host, port);
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

function originsOf(origins: unknown): readonly string[] {
	const given = Array.isArray(origins) ? origins.map(String) : [];
	// An origin written differently from how browsers send it would never match.
	for (const origin of given) {
		if (!URL.canParse(origin) || new URL(origin).origin !== origin)
			throw new UsageError(`--origin: expected one such as https://example.org, got ${quoteWord(origin)}`);
	}
	return given;
}

function explained(thrown: unknown, host: string | undefined, port: number): unknown {
	switch (errorCode(thrown)) {
		case "EADDRINUSE":
			return new UsageError(`--port: expected a free one, got ${port}, which is in use; 0 takes any that is free`);
		case "EACCES":
			return new UsageError(`--port: expected one that you may use, such as ${DEFAULT_PORT}, got ${port}`);
		case "EADDRNOTAVAIL":
		case "ENOTFOUND":
		case "EAI_AGAIN":
			return notHere(host);
		default:
			return thrown;
	}
}

function notHere(host: string | undefined): UsageError {
	return new UsageError(`--host: expected a name or an address of this machine, got ${quoteWord(host)}`);
}
