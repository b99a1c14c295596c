import { createFault } from "../fault/fault.ts";
import { Callbacks } from "./callbacks.ts";
import { ClientPort } from "./clientPort.ts";
import { ContractBook } from "./contractBook.ts";
import { Dispatch } from "./dispatch.ts";
import { GarbageWatch } from "./garbageWatch.ts";
import { deadlinePassed } from "./hang.ts";
import { HostRecord } from "./hostRecord.ts";
import { InProcessPort } from "./inProcessPort.ts";
import { Ledger } from "./ledger.ts";
import { Lists } from "./lists.ts";
import type { HostOptions } from "./options.ts";
import type { Parts } from "./parts.ts";
import { Recovery } from "./recovery.ts";
import { Session } from "./session.ts";
import { settle } from "./settings.ts";
import { Supervisor } from "./supervisor.ts";
import type { Worker } from "./worker.ts";
import { WorkerRouter } from "./workerRouter.ts";

const MAX_UNREAD_STDERR = 1024 * 1024;

/** The parts refer to one another, so the object is created first and filled in afterwards. */
export function assemble(options: HostOptions): Parts {
	const settings = settle(options);
	const watches = new WeakMap<Worker, GarbageWatch>();
	const parts: { -readonly [K in keyof Parts]?: Parts[K] } = { settings };
	const all = parts as Parts;
	parts.record = new HostRecord();
	parts.session = new Session();
	parts.book = new ContractBook(settings.contracts, settings.privateWorker, settings.deadlines);
	const { client = { input: process.stdin, output: process.stdout } } = options;
	parts.port = "deliver" in client ? new InProcessPort(client) : new ClientPort(client, settings.maxFrameBytes);
	parts.ledger = new Ledger(all, (call, kind) => deadlinePassed(all, call, kind));
	parts.callbacks = new Callbacks(all);
	parts.dispatch = new Dispatch(all);
	parts.recovery = new Recovery(all);
	parts.lists = new Lists(all);
	const router = new WorkerRouter(all);
	parts.supervisor = new Supervisor(all, {
		message: (worker, frame, envelope) => router.message(worker, frame, envelope),
		oversize: (worker, event) => router.oversize(worker, event),
		writable: () => all.dispatch.pump(),
		stderr: (_worker, line) => {
			if (isStderrRead()) settings.onWorkerStderr(line);
		},
		cutOff: (worker, pipe) => {
			const detail = `it closed its standard ${pipe} and lives on`;
			const { generation } = worker;
			void all.supervisor.replace(worker, createFault("process", "worker_cut_off", { detail, generation }));
		},
		killFailed: (worker, failure) => all.record.killFailed(worker.generation, failure),
		garbage: (worker, frame, why) => {
			if (isStderrRead()) settings.onWorkerGarbage(frame);
			router.unreadable(worker, frame, why);
			const watch = watches.get(worker) ?? new GarbageWatch(settings.garbage, worker.generation);
			watches.set(worker, watch);
			const { fault, replace } = watch.saw(frame.length);
			if (replace && fault !== undefined) void all.supervisor.replace(worker, fault);
			else if (fault !== undefined) all.record.fault(fault);
		},
	});
	return all;
}

/** If nobody reads our stderr, what the worker prints must not pile up in our memory. */
function isStderrRead(): boolean {
	return process.stderr.writableLength < MAX_UNREAD_STDERR;
}
