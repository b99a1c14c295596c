import { join } from "node:path";
import { toFileName } from "../command/folders.ts";
import { toFault } from "../fault/toFault.ts";
import { runOnceMore } from "../host/lists/pacing.ts";
import type { Parts } from "../host/parts.ts";
import type { HostOptions } from "../host/settings/options.ts";
import { writeStderr } from "../process/ownProcess.ts";
import type { Host } from "./hostHandle.ts";

/** Starts the log, control socket, file watch and signals, each only if asked for and after the session has begun. */
export function attachToHost(host: Host, parts: Parts, options: HostOptions, attachments: Attachments): void {
	const failed = (what: string) => (error: unknown) => {
		writeStderr(`[${host.name}] no ${what}: ${toFault(error).detail}\n`);
	};
	if (options.telemetryDirectory !== undefined) {
		attachLog(host, parts, options.telemetryDirectory, failed("telemetry file")).catch(failed("telemetry file"));
	}
	const rollAgain = runOnceMore(async () => {
		const fault = await rollOutAfterOthers(host, parts);
		if (fault !== undefined) failed("rollout")(fault);
	});
	if (options.control === true) attachControl(host, attachments).catch(failed("control socket"));
	if (options.watch !== undefined && options.watch.length > 0) {
		const { watch } = options;
		attachWatch(watch, parts, rollAgain, failed("file watch"), attachments).catch(failed("file watch"));
	}
	if (options.signals !== true) return;
	attachSignals(host, rollAgain, attachments);
	// The rollout was reported as successful before, so a later rollback must be reported too.
	parts.record.on("fault", (fault) => {
		if (fault.code === "rolled_back" || fault.code === "rollback_impossible") failed("rollout")(fault);
	});
}

/** Another rollout or a reinstall that is under way may have begun before the change that this one is for. */
async function rollOutAfterOthers(host: Host, { replacement }: Parts): Promise<unknown> {
	for (;;) {
		const outcome = await host.rollout().catch((error: unknown) => ({ ok: false, fault: toFault(error) }) as const);
		if (outcome.ok) return undefined;
		const { code } = outcome.fault;
		// Nobody asks for a new release of a session that is over.
		if (code === "host_closing") return undefined;
		if (code !== "rollout_in_progress" && code !== "reinstall_in_progress") return outcome.fault;
		await replacement.ended();
	}
}

async function attachLog(
	host: Host,
	parts: Parts,
	directory: string,
	onFailure: (error: Error) => void,
): Promise<void> {
	const { JsonlLog } = await import("../telemetry/jsonlLog.ts");
	const { DeferredLog } = await import("../telemetry/jsonlLog.ts");
	const path = join(directory, `${toFileName(host.name)}.jsonl`);
	parts.record.addSink(new DeferredLog(new JsonlLog({ path, name: host.name, onFailure })));
}

async function attachControl(host: Host, attachments: Attachments): Promise<void> {
	const [{ serveControl }, { answerControl }] = await Promise.all([
		import("./controlServer.ts"),
		import("./controlServer.ts"),
	]);
	const server = await serveControl(host.name, (request) => answerControl(host, request));
	attachments.add(() => server.close());
}

async function attachWatch(
	paths: readonly string[],
	{ quarantine, supervisor }: Parts,
	rollAgain: () => void,
	onFailure: (error: Error) => void,
	attachments: Attachments,
): Promise<void> {
	const { watchFiles } = await import("./watchFiles.ts");
	const changed = (): void => {
		// The watched files belong to the release, whether its command names them or not.
		quarantine.forget(supervisor.command);
		rollAgain();
	};
	attachments.add(watchFiles(paths, changed, onFailure));
}

function attachSignals(host: Host, rollAgain: () => void, attachments: Attachments): void {
	const listen = (signal: NodeJS.Signals, heard: () => void): void => {
		process.on(signal, heard);
		attachments.add(() => process.off(signal, heard));
	};
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) listen(signal, () => void host.close());
	if (process.platform !== "win32") listen("SIGUSR2", rollAgain);
}

/** What a host has opened beside its session. Whatever is added after the end is stopped at once. */
export class Attachments {
	readonly #stops: (() => void)[] = [];
	#closed: boolean = false;

	add(stop: () => void): void {
		if (this.#closed) stop();
		else this.#stops.push(stop);
	}

	close(): void {
		this.#closed = true;
		for (const stop of this.#stops.splice(0)) stop();
	}
}
