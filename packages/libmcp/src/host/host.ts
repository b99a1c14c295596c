import { Buffer } from "node:buffer";
import { createFault } from "../fault/fault.ts";
import { toFault } from "../fault/toFault.ts";
import { type Inheritance, takeInheritance } from "../rollout/inheritance.ts";
import type { Reinstall, ReinstallOutcome } from "../rollout/reinstall.ts";
import type { Rollout } from "../rollout/rollout.ts";
import type { RolloutOutcome } from "../rollout/rolloutOutcome.ts";
import type { TelemetrySnapshot } from "../telemetry/telemetryLedger.ts";
import type { Envelope } from "../wire/envelope.ts";
import { attach } from "./attachments.ts";
import { Callbacks } from "./callbacks.ts";
import { type ClientEvents, ClientPort } from "./clientPort.ts";
import { ClientRouter } from "./clientRouter.ts";
import { ContractBook } from "./contractBook.ts";
import { Dispatch } from "./dispatch.ts";
import { GarbageWatch } from "./garbageWatch.ts";
import { deadlinePassed } from "./hang.ts";
import { type HostHealth, HostRecord } from "./hostRecord.ts";
import { InProcessPort } from "./inProcessPort.ts";
import { Ledger } from "./ledger.ts";
import { Lists } from "./lists.ts";
import type { HostOptions, WorkerCommand } from "./options.ts";
import type { Parts } from "./parts.ts";
import { Recovery } from "./recovery.ts";
import type { BreakerState } from "./restartBudget.ts";
import { Session } from "./session.ts";
import { settle } from "./settings.ts";
import { shutDown } from "./shutdown.ts";
import { Supervisor } from "./supervisor.ts";
import type { Worker } from "./worker.ts";
import { WorkerRouter } from "./workerRouter.ts";

/** A client session that outlives its workers, with its health, events and controls. */
export type Host = {
	readonly name: string;
	/** Resolves when the session is over and nothing of its workers is left. */
	readonly closed: Promise<void>;
	/** `on("fault" | "ready" | "restart" | …)`. */
	readonly events: HostRecord;
	state(): HostState;
	health(): HostHealth;
	telemetry(): TelemetrySnapshot;
	/** A message of a client in this process, with its envelope as the client read it. */
	receive(frame: Buffer, envelope: Envelope): void;
	/** Switches to a new release, or to the same command anew, under live calls. */
	rollout(command?: WorkerCommand): Promise<RolloutOutcome>;
	/** Prepares the program on disk to take over this very process; `commit` then does it. POSIX, stdio hosts only. */
	reinstall(): Promise<ReinstallOutcome>;
	/** Ends the worker in use; the next one takes over its calls as their contracts allow. */
	restart(): Promise<void>;
	/** Lets calls in flight finish for a moment, then ends everything. */
	close(): Promise<void>;
};

/** What the session is doing at this moment. */
export type HostState = {
	readonly name: string;
	readonly pid: number;
	readonly workerPid: number | undefined;
	readonly command: WorkerCommand;
	readonly generation: number;
	readonly ready: boolean;
	readonly breaker: BreakerState;
	readonly inFlight: number;
	readonly waiting: number;
};

const MAX_UNREAD_STDERR = 1024 * 1024;

/** Puts a stable host before a stdio server: the client speaks to it, and it starts and restarts the server. */
export function host(options: HostOptions): Host {
	const parts = assemble(options);
	const router = new ClientRouter(parts);
	const rollouts = lazyRollout(parts);
	/** What was attached to the session and ends with it. */
	const detachments: (() => void)[] = [];
	let reinstall: Promise<Reinstall> | undefined;
	let closing: Promise<void> | undefined;
	let markClosed: () => void = () => {};
	const closed = new Promise<void>((resolve) => {
		markClosed = resolve;
	});
	const close = (): Promise<void> => {
		router.closing = true;
		rollouts.stop();
		closing ??= shutDown(parts).finally(() => {
			for (const detach of detachments) detach();
			markClosed();
		});
		return closing;
	};
	const begin = (unread: Buffer): void => {
		void parts.supervisor.start();
		parts.port.start(events, unread);
	};
	const events: ClientEvents = {
		message: (frame, envelope) => router.message(frame, envelope),
		oversize: (event) => router.oversize(event),
		blocked: () => pauseWorkers(parts, true),
		writable: () => pauseWorkers(parts, false),
		ended: () => void close(),
	};
	const inherited = options.client === undefined ? takeInheritance() : undefined;
	if (inherited === undefined) begin(Buffer.alloc(0));
	else void inherit(parts, inherited).then(begin, (error: unknown) => abandon(parts.settings.name, error));
	const self: Host = {
		name: parts.settings.name,
		closed,
		events: parts.record,
		state: () => stateOf(parts),
		health: () => parts.record.health(parts),
		telemetry: () => parts.record.telemetry(),
		receive: (frame, envelope) => {
			if (!(parts.port instanceof InProcessPort))
				throw new TypeError("receive: the client of this host speaks on streams");
			parts.port.receive(frame, envelope);
		},
		// What a new command does not say stays as it was.
		rollout: (command) =>
			rollouts.run(command === undefined ? { ...parts.supervisor.command } : succeed(parts, command)),
		reinstall: async () => {
			reinstall ??= import("../rollout/reinstall.ts").then(
				(module) => new module.Reinstall(parts, options.client === undefined, () => router.closing),
			);
			return (await reinstall).prepare();
		},
		restart: async () => {
			const { active, generation } = parts.supervisor;
			const detail = "somebody asked for a restart";
			await active?.end(createFault("process", "restart_requested", { detail, generation }));
		},
		close,
	};
	// One that is only asked whether it could take over opens nothing that others would see.
	if (inherited?.checkOnly !== true) attach(self, parts, options, detachments);
	return self;
}

async function inherit(parts: Parts, { path, checkOnly }: Inheritance): Promise<Buffer> {
	const { readCapsule, removeCapsule } = await import("../rollout/capsule.ts");
	const state = readCapsule(path);
	if (checkOnly) process.exit(0);
	removeCapsule(path);
	const { adoptState } = await import("../rollout/handoffState.ts");
	return adoptState(parts, state);
}

/** This process was started to take over a session and cannot. */
function abandon(name: string, error: unknown): void {
	process.stderr.write(`[${name}] cannot take over: ${toFault(error).detail}\n`);
	process.exit(1);
}

function succeed({ supervisor }: Parts, command: WorkerCommand): WorkerCommand {
	const { env, cwd } = supervisor.command;
	return {
		...(cwd === undefined ? {} : { cwd }),
		...command,
		env: { ...env, ...command.env },
	};
}

/** Most sessions never see a rollout, so its modules are loaded with the first one. */
function lazyRollout(parts: Parts): { run(command: WorkerCommand): Promise<RolloutOutcome>; stop(): void } {
	let loading: Promise<Rollout> | undefined;
	return {
		async run(command) {
			loading ??= import("../rollout/rollout.ts").then((module) => new module.Rollout(parts));
			return (await loading).run(command);
		},
		stop: () => void loading?.then((rollout) => rollout.stop()),
	};
}

/** The parts refer to one another, so the object is created first and filled in afterwards. */
function assemble(options: HostOptions): Parts {
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
			// If nobody reads our stderr, the worker's must not pile up in our memory.
			if (process.stderr.writableLength < MAX_UNREAD_STDERR) settings.onWorkerStderr(line);
		},
		cutOff: (worker, pipe) => {
			const detail = `it closed its standard ${pipe} and lives on`;
			const { generation } = worker;
			void all.supervisor.replace(worker, createFault("process", "worker_cut_off", { detail, generation }));
		},
		killFailed: (worker, failure) => all.record.killFailed(worker.generation, failure),
		garbage: (worker, frame, why) => {
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

function pauseWorkers({ supervisor }: Parts, paused: boolean): void {
	for (const worker of supervisor.workers) worker.pause(paused);
}

function stateOf({ settings, supervisor, ledger, dispatch }: Parts): HostState {
	return {
		name: settings.name,
		pid: process.pid,
		workerPid: supervisor.active?.pid,
		command: supervisor.command,
		generation: supervisor.active?.generation ?? supervisor.generation,
		ready: supervisor.active?.ready === true,
		breaker: supervisor.budget.state,
		inFlight: ledger.size - dispatch.waiting,
		waiting: dispatch.waiting,
	};
}
