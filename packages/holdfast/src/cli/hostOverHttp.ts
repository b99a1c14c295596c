import { errorCode, stopSignal, UsageError, writeStderr } from "libmcp/command";

const NO_ROLLOUT = "holdfast: SIGUSR2: with --http only a restart takes up what changed\n";

/** Serves the hosted server at `http://<address>/mcp` instead of on standard input and output. */
export async function hostOverHttp(address: string, command: string, args: readonly string[]): Promise<number> {
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
		throw isInUse(error) ? await inUse(address, host, port) : error;
	});
	writeStderr(`holdfast: serving MCP at ${served.address}\n`);
	stop.addEventListener("abort", () => void served.close());
	if (stop.aborted) void served.close();
	await served.closed;
	return 0;
}

function isInUse(error: unknown): boolean {
	return errorCode(error) === "EADDRINUSE";
}

async function inUse(address: string, host: string, port: number): Promise<UsageError> {
	const { nextFreePort } = await import("../up/nextFreePort.ts");
	const free = address.replace(/\d+$/, String(await nextFreePort(host, port + 1)));
	return new UsageError(`--http: expected a free port, got ${address}, which is in use; --http ${free} would work`);
}

function readAddress(text: string): { host: string; port: number } {
	const match = /^(?:(?<host>\[[0-9a-f:]+\]|[\w.-]+):)?(?<port>\d{1,5})$/i.exec(text);
	const port = Number(match?.groups?.port);
	if (match === null || port > 65_535)
		throw new UsageError(`--http: expected host:port such as 127.0.0.1:9000, got ${text}`);
	return { host: (match.groups?.host ?? "127.0.0.1").replace(/^\[|\]$/g, ""), port };
}
