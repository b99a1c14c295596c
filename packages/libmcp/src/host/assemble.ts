import { faultOf } from "../fault/faultTable.ts";
import { isOversizeMessage } from "../wire/oversizeId.ts";
import { ContractBook } from "./calls/contractBook.ts";
import { Dispatch } from "./calls/dispatch.ts";
import { deadlinePassed } from "./calls/hang.ts";
import { Ledger } from "./calls/ledger.ts";
import { Recovery } from "./calls/recovery.ts";
import { Callbacks } from "./client/callbacks.ts";
import { ClientPort } from "./client/clientPort.ts";
import { InProcessPort } from "./client/inProcessPort.ts";
import { Lists } from "./lists/lists.ts";
import type { Parts } from "./parts.ts";
import { HostRecord } from "./report/hostRecord.ts";
import { WorkerRouter } from "./routing/workerRouter.ts";
import { Session } from "./session/session.ts";
import type { HostOptions } from "./settings/options.ts";
import { settle } from "./settings/settings.ts";
import { isStderrRead, strayOutput } from "./supervision/strayOutput.ts";
import { Supervisor } from "./supervision/supervisor.ts";

/** The parts refer to one another, so the object is created first and filled in afterwards. */
export function assemble(options: HostOptions): Parts {
	const settings = settle(options);
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
	const stray = strayOutput(all);
	parts.supervisor = new Supervisor(all, {
		message: (worker, frame, envelope) => router.message(worker, frame, envelope),
		oversize: (worker, event) => {
			if (isOversizeMessage(event)) router.oversize(worker, event);
			else stray(worker, event.head, event.size);
		},
		writable: () => all.dispatch.pump(),
		stderr: (_worker, line) => {
			if (isStderrRead()) settings.onWorkerStderr(line);
		},
		cutOff: (worker, pipe) => {
			const detail = `it closed its standard ${pipe} and lives on`;
			const { generation } = worker;
			void all.supervisor.replace(worker, faultOf("worker_cut_off", { detail, generation }));
		},
		killFailed: (worker, failure) => all.record.killFailed(worker.generation, failure),
		garbage: (worker, frame, why) => {
			router.unreadable(worker, frame, why);
			stray(worker, frame, frame.length);
		},
	});
	return all;
}
