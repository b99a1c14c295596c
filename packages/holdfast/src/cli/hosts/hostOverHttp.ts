import { errorCode, stopSignal, UsageError, writeStderr } from "libmcp/command";
import { isHostName, nameGiven } from "../arguments.ts";

const NO_ROLLOUT = "holdfast: SIGUSR2: with --http only a restart takes up what changed\n";

/** Serves the hosted server at `http://<address>/mcp` instead of on standard input and output. */
export async function serveOverHttp(address: string, command: string, args: readonly string[]): Promise<number> {
	const { host, port } = readAddress(address);
	const stop = stopSignal("holdfast");
	// Without a listener, the signal would end the process and every session.
	if (process.platform !== "win32") process.on("SIGUSR2", () => writeStderr(NO_ROLLOUT));
	const { servePassthrough } = await import("metatools");
	const env = Object.fromEntries(
		Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
	);
	const served = await servePassthrough(
		{ spec: { kind: "stdio", name: "hosted", namespace: "hosted", protocol: "auto", command, args, env } },
		{ host, port, log: (line) => writeStderr(`holdfast: ${line}\n`) },
	).catch(async (error: unknown) => {
		throw await explained(error, address, { host, port });
	});
	writeStderr(`holdfast: serving MCP at ${served.address}\n`);
	stop.addEventListener("abort", () => void served.close());
	if (stop.aborted) void served.close();
	await served.closed;
	return 0;
}

async function explained(error: unknown, address: string, { host, port }: Address): Promise<unknown> {
	switch (errorCode(error)) {
		case "HOST_NEEDS_AUTH":
			if (!isHostName(host)) return notHere(address);
			return new UsageError(
				`--http: expected an address that only this machine reaches, such as 127.0.0.1:${port}, got ${address}; holdfast up serves others, with --token`,
			);
		case "EADDRINUSE":
			return inUse(address, host, port);
		case "EADDRNOTAVAIL":
		case "ENOTFOUND":
		case "EAI_AGAIN":
			return notHere(address);
		default:
			return error;
	}
}

function notHere(address: string): UsageError {
	return new UsageError(`--http: expected a name or an address of this machine, got ${address}`);
}

async function inUse(address: string, host: string, port: number): Promise<UsageError> {
	const { findFreePort } = await import("../../up/listening.ts");
	const free = address.replace(/\d+$/, String(await findFreePort(host, port + 1)));
	return new UsageError(`--http: expected a free port, got ${address}, which is in use; --http ${free} would work`);
}

type Address = { readonly host: string; readonly port: number };

function readAddress(text: string): Address {
	const match = /^(?:(?<host>\[[0-9a-f:]+\]|[\w.-]+):)?(?<port>\d{1,5})$/i.exec(text);
	const port = Number(match?.groups?.port);
	if (match === null || port > 65_535)
		throw new UsageError(`--http: expected host:port such as 127.0.0.1:9000, got ${nameGiven(text)}`);
	return { host: (match.groups?.host ?? "127.0.0.1").replace(/^\[|\]$/g, ""), port };
}
