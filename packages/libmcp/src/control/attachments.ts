import { join } from "node:path";
import { fileName } from "../command/runtimeFolder.ts";
import { toFault } from "../fault/toFault.ts";
import { onceMore } from "../host/lists/onceMore.ts";
import type { Parts } from "../host/parts.ts";
import type { HostOptions } from "../host/settings/options.ts";
import { writeStderr } from "../process/writeStderr.ts";
import type { Host } from "./hostHandle.ts";

/** Starts the log, control socket, file watch and signals, each only if asked for and after the session has begun. */
export function attach(host: Host, parts: Parts, options: HostOptions, detachments: (() => void)[]): void {
	const failed = (what: string) => (error: unknown) => {
		writeStderr(`[${host.name}] no ${what}: ${toFault(error).detail}\n`);
	};
	if (options.telemetryDirectory !== undefined) {
		attachLog(host, parts, options.telemetryDirectory, failed("telemetry file")).catch(failed("telemetry file"));
	}
	const rollAgain = onceMore(async () => {
		const outcome = await host.rollout().catch((error: unknown) => ({ ok: false, fault: error }) as const);
		if (!outcome.ok) failed("rollout")(outcome.fault);
	});
	if (options.control === true) attachControl(host, detachments).catch(failed("control socket"));
	if (options.watch !== undefined && options.watch.length > 0) {
		const { watch } = options;
		attachWatch(watch, parts, rollAgain, failed("file watch"), detachments).catch(failed("file watch"));
	}
	if (options.signals !== true) return;
	attachSignals(host, rollAgain);
	// The rollout was reported as successful before, so a later rollback must be reported too.
	parts.record.on("fault", (fault) => {
		if (fault.code === "rolled_back" || fault.code === "rollback_impossible") failed("rollout")(fault);
	});
}

async function attachLog(
	host: Host,
	parts: Parts,
	directory: string,
	onFailure: (error: Error) => void,
): Promise<void> {
	const { JsonlLog } = await import("../telemetry/jsonlLog.ts");
	const { DeferredLog } = await import("../telemetry/deferredLog.ts");
	const path = join(directory, `${fileName(host.name)}.jsonl`);
	parts.record.addSink(new DeferredLog(new JsonlLog({ path, name: host.name, onFailure })));
}

async function attachControl(host: Host, detachments: (() => void)[]): Promise<void> {
	const [{ serveControl }, { answerControl }] = await Promise.all([
		import("./controlServer.ts"),
		import("./answerControl.ts"),
	]);
	const server = await serveControl(host.name, (request) => answerControl(host, request));
	detachments.push(() => server.close());
}

async function attachWatch(
	paths: readonly string[],
	{ quarantine, supervisor }: Parts,
	rollAgain: () => void,
	onFailure: (error: Error) => void,
	detachments: (() => void)[],
): Promise<void> {
	const { watchFiles } = await import("./watchFiles.ts");
	const changed = (): void => {
		// The watched files belong to the release, whether its command names them or not.
		quarantine.forget(supervisor.command);
		rollAgain();
	};
	detachments.push(watchFiles(paths, changed, onFailure));
}

function attachSignals(host: Host, rollAgain: () => void): void {
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void host.close());
	if (process.platform !== "win32") process.on("SIGUSR2", rollAgain);
}
