import type { Buffer } from "node:buffer";
import type { Parts } from "../parts.ts";
import type { Worker } from "../worker/worker.ts";
import { GarbageWatch } from "./garbageWatch.ts";

/** Takes a line of a worker's output that is no message, or the beginning of a line of `size` bytes. */
export type StrayOutput = (worker: Worker, line: Buffer, size: number) => void;

/** Prints and counts output that is no message, and replaces a worker that prints too much of it. */
export function strayOutput(parts: Parts): StrayOutput {
	const watches = new WeakMap<Worker, GarbageWatch>();
	return (worker, line, size) => {
		const { settings, supervisor, record } = parts;
		if (isStderrRead()) settings.onWorkerGarbage(line);
		const watch = watches.get(worker) ?? new GarbageWatch(settings.garbage, worker.generation);
		watches.set(worker, watch);
		const { fault, replace } = watch.saw(size);
		if (replace && fault !== undefined) void supervisor.replace(worker, fault);
		else if (fault !== undefined) record.fault(fault);
	};
}

const MAX_UNREAD_STDERR = 1024 * 1024;

/** False when nobody reads our stderr: what a worker prints would then pile up in our memory. */
export function isStderrRead(): boolean {
	return process.stderr.writableLength < MAX_UNREAD_STDERR;
}
