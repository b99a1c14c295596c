import { setTimeout as delay } from "node:timers/promises";
import { errorCode, failureText, stopSignal, tooWide, UsageError } from "libmcp/command";
import { findTelemetryFolder } from "../../config/installation.ts";
import type { ControlSockets } from "../../up/controlSockets.ts";
import { TokenUnusable } from "../../up/lock.ts";
import {
	isHostName,
	nameGiven,
	readArguments,
	readConfigOption,
	readPort,
	readRepositoryOption,
} from "../arguments.ts";
import { colour, findTypedCommand, say, writeLogLine } from "../output.ts";

/** A start's text waits this long for the index, so that it can tell how large it is. */
const INDEX_MS = 5_000;

export const help = `Usage: holdfast up [--port 8080] [--host 127.0.0.1] [--repo PATH]
                   [--config FILE] [--store URL] [--fleet-address HOST:PORT]
                   [--token TOKEN] [--bare]
                   [--no-index]

Serves one address: the gateway at /mcp with code search for this repository,
sample assets and your own servers behind it, and the console at /.

  --port N       8080; 0 takes a free one
  --host NAME    127.0.0.1; another needs --token
  --repo PATH    the repository to search; default: this folder, unless it is
                 your home folder or the disk's root
  --config FILE  the gateway's configuration; default: your own, if there is one
  --store URL    where sessions outlive the process: sqlite:FILE, memory:, or
                 postgres://... for a fleet; default: a file for this address
                 in the state folder, and nothing with --port 0
  --fleet-address HOST:PORT
                 where the other nodes of the fleet reach this one; default:
                 its host, at a free port
  --token TOKEN  required from every caller, 16 characters or more with --host;
                 the configuration's auth can admit others, to the tools only.
                 HOLDFAST_TOKEN does the same and does not show in process
                 listings
  --bare         without the servers that come with Holdfast
  --no-index     do not index now; the tool build_index or the console does it`;

export async function run(args: readonly string[]): Promise<number> {
	const { values } = readArguments(args, {
		port: { type: "string", default: "8080" },
		host: { type: "string", default: "127.0.0.1" },
		repo: { type: "string" },
		config: { type: "string" },
		store: { type: "string" },
		"fleet-address": { type: "string" },
		token: { type: "string" },
		bare: { type: "boolean", default: false },
		"no-index": { type: "boolean", default: false },
	});
	const port = readPort("--port", values.port);
	// An empty one would listen at every address.
	if (values.host === "") throw notHere(values.host);
	const repository = readRepositoryOption(values);
	const named = readConfigOption(values);
	const token = values.token ?? takeToken();
	const stop = stopSignal("holdfast");
	const [
		{ keepNurserySmall },
		{ bringUp },
		{ describeIndex, findReachable, nameSome, summarize },
		{ openControlSockets },
		{ createProgressBar },
	] = await Promise.all([
		import("libmcp"),
		import("../../up/up.ts"),
		import("./upSummary.ts"),
		import("../../up/controlSockets.ts"),
		import("../terminal.ts"),
	]);
	keepNurserySmall();
	const astray = values.repo === undefined && !values.bare && tooWide(repository) !== undefined;
	// A closed terminal or pipe must not end the server.
	for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
	let sockets: ControlSockets | undefined;
	const bar = createProgressBar("indexing");
	const log = (line: string): void => {
		bar.clear();
		writeLogLine(line);
	};
	const started = await bringUp({
		source: {
			repository,
			bare: values.bare || astray,
			flags: {
				host: values.host,
				port: String(port),
				...(values.store !== undefined && { store: values.store }),
				...(values["fleet-address"] !== undefined && { fleetAddress: values["fleet-address"] }),
			},
			...named,
		},
		index: !values["no-index"],
		signal: stop,
		log,
		command: findTypedCommand(),
		telemetryFolder: () => findTelemetryFolder(log),
		...(token !== undefined && { token }),
		onChecked() {
			if (astray) log(`${repository} is not a repository, so only your own servers are served; --repo names one`);
		},
		onListening({ gateway, address, recorder, indexJob }) {
			indexJob.on("change", function draw({ state, progress = 0, total = 0, message = "" }) {
				if (state === "running") return bar.update(progress, total, message);
				bar.clear();
				indexJob.off("change", draw);
			});
			sockets = openControlSockets(gateway, { address: findReachable(address), log, busyWith: indexJob });
			recorder.on("servers", sockets.follow);
			sockets.follow();
		},
		onWaiting(names, { address }) {
			log(`${address} answers already; waiting for ${nameSome(names, Number.POSITIVE_INFINITY)} to connect`);
		},
	}).catch(async (error: unknown) => {
		if (stop.aborted) return undefined;
		throw await explained(error, values.host, port);
	});
	if (started === undefined) return 0;
	const { product, indexing } = started;
	// A failed index must not prevent the start; it is logged where it is tried again.
	const indexed = indexing?.then(describeIndex, (error: unknown) => colour("warn", failureText(error)));
	const known = await Promise.race([indexed, aborted(stop), delay(INDEX_MS, undefined, { ref: false })]);
	if (!stop.aborted) {
		const isLong = indexed !== undefined && known === undefined;
		if (isLong && !process.stderr.isTTY) log(`indexing ${repository}; --no-index leaves that to the tool build_index`);
		bar.clear();
		say(summarize(product, isLong ? "being built; code search answers when it is done" : known));
		if (isLong) void indexing?.then((report) => log(`index: ${describeIndex(report)}`)).catch(() => {});
	}
	await aborted(stop);
	bar.clear();
	if (process.stdout.isTTY) say("\nstopping");
	try {
		await product.close();
	} finally {
		sockets?.close();
	}
	return 0;
}

/** Reads the token from the environment and removes it there, so that servers do not inherit it. */
function takeToken(): string | undefined {
	const { HOLDFAST_TOKEN: token } = process.env;
	delete process.env.HOLDFAST_TOKEN;
	return token || undefined;
}

async function explained(error: unknown, host: string, port: number): Promise<Error> {
	if (!(error instanceof Error)) return new Error(String(error));
	if (error instanceof TokenUnusable) return new UsageError(`--token: expected ${error.expected}`);
	switch (errorCode(error)) {
		case "HOST_NEEDS_AUTH":
			if (!isHostName(host)) return notHere(host);
			return new UsageError(
				`--host: expected 127.0.0.1, got ${host}, which others can reach; add --token, or leave --host out`,
			);
		case "EADDRINUSE":
			return new UsageError(
				`--port: expected a free one, got ${port}, which is in use; holdfast up --port ${await nextFree(host, port + 1)} would work`,
			);
		case "EACCES":
			// A file that may not be read has this code too.
			return isListening(error)
				? new UsageError(`--port: expected one that you may use, such as 8080, got ${port}`)
				: error;
		case "EADDRNOTAVAIL":
		case "ENOTFOUND":
		case "EAI_AGAIN":
			return notHere(host);
		default:
			return error;
	}
}

function notHere(host: string): UsageError {
	return new UsageError(`--host: expected a name or an address of this machine, got ${nameGiven(host)}`);
}

function isListening(error: Error): boolean {
	return "syscall" in error && error.syscall === "listen";
}

async function nextFree(host: string, from: number): Promise<number> {
	const { findFreePort } = await import("../../up/listening.ts");
	return findFreePort(host, from);
}

async function aborted(signal: AbortSignal): Promise<undefined> {
	if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}
