import { existsSync } from "node:fs";
import { endProcess, errorCode, tellWaiting, UsageError, writeStderr } from "libmcp/command";
import { isHeir, spawnWorker } from "libmcp/early";
import { findTelemetryFolder } from "../../config/installation.ts";
import { readArguments, readMilliseconds, readWholeNumber } from "../arguments.ts";

export const help = `Usage: holdfast host [options] -- <command> [args…]

Speaks MCP on stdin and stdout in the server's place, starts the server behind
it, and keeps the client's session through the server's crashes and upgrades.

  --name <name>         what status and logs call it (default: from the command)
  --contract <file>     which tools may be repeated, and how to find out; read
                        again at each rollout
  --deadline <time>     longest a call may take (default 10m, 0 for none)
  --inactivity <time>   longest a call may be silent (default none)
  --grace <time>        between asking the server to end and ending it (2s)
  --max-queue <n>       calls that may wait for a worker (512)
  --max-frame <bytes>   largest message, either way (10485760)
  --watch <path>        roll out again when these files change; may be repeated
  --no-ops-tools        do not add holdfast_health and holdfast_telemetry
  --no-log              write no telemetry file
  --no-control          open no control socket
  --http <host:port>    serve at http://<host:port>/mcp instead, only to this
                        machine; cannot be combined with other options

Times are 500ms, 30s, 5m, 1h30m; a number without a unit counts seconds.
SIGUSR2 rolls the same command out again, but not with --http: such a host is
not listed by holdfast status and cannot be upgraded while it runs. holdfast up
serves servers over HTTP that can be.
In a client's configuration put "holdfast" as the command and
["host", "--", <the server's command>, <its arguments>…] as the arguments.`;

const OPTIONS = {
	name: { type: "string" },
	contract: { type: "string" },
	deadline: { type: "string" },
	inactivity: { type: "string" },
	grace: { type: "string" },
	"max-queue": { type: "string" },
	"max-frame": { type: "string" },
	watch: { type: "string", multiple: true },
	"no-ops-tools": { type: "boolean" },
	"no-log": { type: "boolean" },
	"no-control": { type: "boolean" },
	http: { type: "string" },
} as const;

export async function run(args: readonly string[]): Promise<number> {
	// Unheard, the signal would end the process, also while it loads and while it closes its session.
	let toldEarly = false;
	if (process.platform !== "win32") process.on("SIGUSR2", () => (toldEarly = true));
	const { values, words, after } = readArguments(args, OPTIONS, Number.POSITIVE_INFINITY, "another");
	const [command, ...rest] = after ?? words;
	if (command === undefined) throw new UsageError("command: expected the server's command after --, got nothing");
	if (values.http !== undefined) {
		const other = Object.keys(values).find((name) => name !== "http");
		if (other !== undefined) throw new UsageError(`--${other}: expected no other option beside --http`);
		const { serveOverHttp } = await import("./hostOverHttp.ts");
		return serveOverHttp(values.http, command, rest);
	}
	for (const path of values.watch ?? []) expectThere("--watch: expected a file or folder", path);
	if (values.contract !== undefined) expectThere("--contract: expected a JSON file", values.contract);
	const graceMs = values.grace === undefined ? undefined : readMilliseconds("--grace", values.grace);
	const options = {
		command,
		args: rest,
		...(values.name === undefined ? {} : { name: values.name }),
		...(values.contract === undefined ? {} : { contract: values.contract }),
		deadlines: {
			...(values.deadline === undefined ? {} : { hardMs: readMilliseconds("--deadline", values.deadline) }),
			...(values.inactivity === undefined ? {} : { inactivityMs: readMilliseconds("--inactivity", values.inactivity) }),
		},
		...(graceMs === undefined ? {} : { graceMs }),
		...(values["max-queue"] === undefined ? {} : { maxQueue: readWholeNumber("--max-queue", values["max-queue"]) }),
		...(values["max-frame"] === undefined
			? {}
			: { maxFrameBytes: readWholeNumber("--max-frame", values["max-frame"]) }),
		...(values.watch === undefined ? {} : { watch: values.watch }),
		opsTools: values["no-ops-tools"] !== true,
		control: values["no-control"] !== true && process.platform !== "win32",
		signals: true,
	};
	// Starts the server while the host's code is loading; a host that takes over a session starts its own worker.
	const firstWorker = isHeir() ? undefined : spawnWorker({ command, args: rest }, graceMs);
	const started = firstWorker?.catch((error: unknown) => {
		// The client gets the reason with each call; print it too, for whoever typed the command.
		const code = errorCode(error);
		const why = code === "ENOENT" ? "there is no such command" : `it cannot be run (${code ?? String(error)})`;
		complain(`${command}: ${why}`);
		return undefined;
	});
	try {
		const { host, keepNurserySmall } = await import("libmcp/host");
		const telemetryDirectory = values["no-log"] === true ? undefined : findTelemetryFolder(complain);
		const running = host({
			...options,
			...(firstWorker === undefined ? {} : { firstWorker }),
			...(telemetryDirectory === undefined ? {} : { telemetryDirectory }),
		});
		if (toldEarly) process.emit("SIGUSR2", "SIGUSR2");
		keepNurserySmall();
		tellWaiting("holdfast host");
		const exporting = Object.keys(process.env).some((name) => name.startsWith("OTEL_EXPORTER_OTLP_"));
		const exporter = exporting
			? await (await import("../../telemetry/otlpExporter.ts")).exportTelemetry(running)
			: undefined;
		await running.closed;
		// The host has let go of its signals, and one that comes now must not cost the last telemetry.
		for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
		await exporter?.close();
	} catch (error) {
		await (await started)?.custody.end();
		throw error;
	}
	// The session is over; a client that left its pipes open must not keep the process alive.
	endProcess();
	return 0;
}

function expectThere(expected: `--${string}: expected ${string}`, path: string): void {
	if (existsSync(path)) return;
	throw new UsageError(`${expected}, got ${path === "" ? "nothing" : `${path}, which does not exist`}`);
}

function complain(line: string): void {
	writeStderr(`holdfast host: ${line}\n`);
}
