import { isOversizeMessage } from "../wire/oversizeId.ts";
import { ContractBook } from "./calls/contractBook.ts";
import { Dispatch } from "./calls/dispatch.ts";
import { handlePassedDeadline } from "./calls/hang.ts";
import { Ledger } from "./calls/ledger.ts";
import { LostTasks, Recovery } from "./calls/recovery.ts";
import { Callbacks } from "./client/callbacks.ts";
import { ClientPort, type Port } from "./client/clientPort.ts";
import { InProcessPort } from "./client/inProcessPort.ts";
import { Lists } from "./lists/lists.ts";
import { WorkerRouter } from "./routing/workerRouter.ts";
import { Session } from "./session/session.ts";
import type { HostOptions } from "./settings/options.ts";
import { fillDefaults, type Settings } from "./settings/settings.ts";
import { HostRecord } from "./state/hostRecord.ts";
import { Quarantine } from "./state/quarantine.ts";
import { Replacement } from "./state/replacement.ts";
import { Roster } from "./state/roster.ts";
import { isStderrRead, replaceCutOffWorker, watchStrayOutput } from "./supervision/misbehaviour.ts";
import { Supervisor } from "./supervision/supervisor.ts";
import type { WorkerEvents } from "./worker/worker.ts";

/** The parts of one host that others reach. */
export type Parts = {
	readonly settings: Settings;
	readonly record: HostRecord;
	readonly roster: Roster;
	readonly port: Port;
	readonly session: Session;
	readonly book: ContractBook;
	readonly lostTasks: LostTasks;
	readonly callbacks: Callbacks;
	readonly ledger: Ledger;
	readonly dispatch: Dispatch;
	readonly quarantine: Quarantine;
	readonly recovery: Recovery;
	readonly lists: Lists;
	readonly replacement: Replacement;
	readonly supervisor: Supervisor;
};

/** Makes the parts in an order in which each is given what it needs, and knows of no other. */
export function makeParts(options: HostOptions): Parts {
	const { client = { input: process.stdin, output: process.stdout } } = options;
	const settings = fillDefaults(options);
	const record = new HostRecord();
	const roster = new Roster(record, settings.restarts);
	const port = "deliver" in client ? new InProcessPort(client) : new ClientPort(client, settings.maxFrameBytes);
	const session = new Session();
	const book = new ContractBook(settings.readContracts(), settings.privateWorker, settings.deadlines);
	const lostTasks = new LostTasks();
	const callbacks = new Callbacks(port, session);
	const ledger = new Ledger({ settings, record, port, book, callbacks, lostTasks }, (call, kind) =>
		handlePassedDeadline({ settings, record, roster, book, ledger, dispatch }, call, kind),
	);
	const dispatch: Dispatch = new Dispatch({ settings, record, roster, port, session, book, ledger });
	const quarantine = new Quarantine();
	const recovery = new Recovery({ record, quarantine, callbacks, book, ledger, dispatch, lostTasks });
	const lists = new Lists({ settings, record, roster, port, session, book, ledger, recovery });
	const replacement = new Replacement(settings, roster);
	const made = { settings, record, roster, port, session, book, lostTasks, callbacks, ledger, dispatch, lists };
	const router = new WorkerRouter({ ...made, tellInitialized: (worker) => supervisor.tellInitialized(worker) });
	const events = workerEvents(made, router);
	const supervisor = new Supervisor({ ...made, recovery, replacement }, events);
	return { ...made, quarantine, recovery, replacement, supervisor };
}

type EventParts = Pick<Parts, "settings" | "record" | "roster" | "dispatch">;

function workerEvents(parts: EventParts, router: WorkerRouter): Omit<WorkerEvents, "lost"> {
	const stray = watchStrayOutput(parts);
	return {
		message: (worker, frame, envelope) => router.message(worker, frame, envelope),
		oversize: (worker, event) => {
			if (isOversizeMessage(event)) router.oversize(worker, event);
			else stray(worker, event.head, event.size);
		},
		writable: () => parts.dispatch.pump(),
		stderr: (_worker, line) => {
			if (isStderrRead()) parts.settings.onWorkerStderr(line);
		},
		cutOff: (worker, pipe) => replaceCutOffWorker(parts, worker, pipe),
		killFailed: (worker, failure) => parts.record.killFailed(worker.generation, failure),
		garbage: (worker, frame, why) => {
			router.unreadable(worker, frame, why);
			stray(worker, frame, frame.length);
		},
	};
}
