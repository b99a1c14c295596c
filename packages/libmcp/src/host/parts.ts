import { isOversizeMessage } from "../wire/oversizeId.ts";
import { ContractBook } from "./calls/contractBook.ts";
import { Dispatch } from "./calls/dispatch.ts";
import { deadlinePassed } from "./calls/hang.ts";
import { Ledger } from "./calls/ledger.ts";
import { LostTasks, Recovery } from "./calls/recovery.ts";
import { Callbacks } from "./client/callbacks.ts";
import { ClientPort, type Port } from "./client/clientPort.ts";
import { InProcessPort } from "./client/inProcessPort.ts";
import { Lists } from "./lists/lists.ts";
import { HostRecord } from "./report/hostRecord.ts";
import { WorkerRouter } from "./routing/workerRouter.ts";
import { Session } from "./session/session.ts";
import type { HostOptions } from "./settings/options.ts";
import { type Settings, withDefaults } from "./settings/settings.ts";
import { cutOff, isStderrRead, strayOutput } from "./supervision/misbehaviour.ts";
import { Quarantine } from "./supervision/quarantine.ts";
import { Replacement } from "./supervision/replacement.ts";
import { Supervisor } from "./supervision/supervisor.ts";
import type { WorkerEvents } from "./worker/worker.ts";

/** The parts of one host. Each reaches the others only through this object, and while it is made only the settings. */
export class Parts {
	readonly settings: Settings;
	readonly record: HostRecord;
	readonly port: Port;
	readonly session: Session;
	readonly book: ContractBook;
	readonly ledger: Ledger;
	readonly lostTasks: LostTasks;
	readonly callbacks: Callbacks;
	readonly dispatch: Dispatch;
	readonly recovery: Recovery;
	readonly lists: Lists;
	readonly quarantine: Quarantine;
	readonly replacement: Replacement;
	readonly supervisor: Supervisor;

	constructor(options: HostOptions) {
		const { client = { input: process.stdin, output: process.stdout } } = options;
		const settings = withDefaults(options);
		this.settings = settings;
		this.record = new HostRecord();
		this.port = "deliver" in client ? new InProcessPort(client) : new ClientPort(client, settings.maxFrameBytes);
		this.session = new Session();
		this.book = new ContractBook(settings.readContracts(), settings.privateWorker, settings.deadlines);
		this.ledger = new Ledger(this, (call, kind) => deadlinePassed(this, call, kind));
		this.lostTasks = new LostTasks();
		this.callbacks = new Callbacks(this);
		this.dispatch = new Dispatch(this);
		this.recovery = new Recovery(this);
		this.lists = new Lists(this);
		this.quarantine = new Quarantine();
		this.replacement = new Replacement(this);
		this.supervisor = new Supervisor(this, workerEvents(this));
	}
}

function workerEvents(parts: Parts): Omit<WorkerEvents, "lost"> {
	const router = new WorkerRouter(parts);
	const stray = strayOutput(parts);
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
		cutOff: (worker, pipe) => cutOff(parts, worker, pipe),
		killFailed: (worker, failure) => parts.record.killFailed(worker.generation, failure),
		garbage: (worker, frame, why) => {
			router.unreadable(worker, frame, why);
			stray(worker, frame, frame.length);
		},
	};
}
