import { Buffer } from "node:buffer";
import { toFault } from "../fault/toFault.ts";
import type { ClientEvents } from "../host/client/clientPort.ts";
import { InProcessPort } from "../host/client/inProcessPort.ts";
import { makeParts, type Parts } from "../host/parts.ts";
import { readHostHealth } from "../host/report/hostHealth.ts";
import { ClientRouter } from "../host/routing/clientRouter.ts";
import type { HostOptions } from "../host/settings/options.ts";
import { shutDown } from "../host/shutdown.ts";
import type { WorkerCommand } from "../host/worker/spawnWorker.ts";
import { writeStderr } from "../process/ownProcess.ts";
import { type Inheritance, takeInheritance } from "../rollout/inheritance.ts";
import type { Reinstall } from "../rollout/reinstall.ts";
import type { Rollout } from "../rollout/rollout.ts";
import { Attachments, attachToHost } from "./attach.ts";
import type { Host, HostState } from "./hostHandle.ts";

/** Puts a stable host between the client and a stdio server: it starts the server, and restarts it when it dies. */
export function host(options: HostOptions): Host {
	const parts = makeParts(options);
	const router = new ClientRouter(parts);
	const rollouts = loadLazily(async (): Promise<Rollout> => {
		const module = await import("../rollout/rollout.ts");
		return new module.Rollout(parts);
	});
	const attachments = new Attachments();
	const reinstall = loadLazily(async (): Promise<Reinstall> => {
		const module = await import("../rollout/reinstall.ts");
		return new module.Reinstall(parts, options.client === undefined, () => router.closing);
	});
	let closing: Promise<void> | undefined;
	let markClosed: () => void = () => {};
	const closed = new Promise<void>((resolve) => {
		markClosed = resolve;
	});
	let told = false;
	const end = (): Promise<void> => {
		router.closing = true;
		void rollouts.begun?.then((rollout) => rollout.stop()).catch(() => {});
		closing ??= shutDown(parts, () => told).finally(() => {
			attachments.close();
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
		ended: () => void end(),
	};
	const inherited = options.client === undefined ? takeInheritance() : undefined;
	if (inherited === undefined) begin(Buffer.alloc(0));
	else void inherit(parts, inherited).then(begin, (error: unknown) => abandon(parts.settings.name, error));
	const self: Host = {
		name: parts.settings.name,
		closed,
		events: parts.record,
		state: () => stateOf(parts),
		health: () => readHostHealth(parts),
		telemetry: () => parts.record.telemetry(),
		receive: (frame, envelope) => {
			if (!(parts.port instanceof InProcessPort))
				throw new TypeError("receive: the client of this host speaks on streams");
			parts.port.receive(frame, envelope);
		},
		// Whatever the new command leaves out stays as it was.
		rollout: async (command) => {
			const next = command === undefined ? { ...parts.supervisor.command } : withCurrentDefaults(parts, command);
			return (await rollouts.load()).run(next);
		},
		reinstall: async () => (await reinstall.load()).prepare(),
		restart: () => parts.supervisor.restart(),
		close: () => {
			told = true;
			return end();
		},
	};
	// A process that only checks whether it could take over must open nothing that others can see.
	if (inherited?.checkOnly !== true) attachToHost(self, parts, options, attachments);
	return self;
}

async function inherit(parts: Parts, { path, checkOnly }: Inheritance): Promise<Buffer> {
	const { adoptState, readCapsule, removeCapsule } = await import("../rollout/capsule.ts");
	const state = readCapsule(path);
	if (checkOnly) process.exit(0);
	removeCapsule(path);
	return adoptState(parts, state);
}

/** Called when this process was started to take over a session and cannot. */
function abandon(name: string, error: unknown): void {
	writeStderr(`[${name}] cannot take over: ${toFault(error).detail}\n`);
	process.exit(1);
}

function withCurrentDefaults({ supervisor }: Pick<Parts, "supervisor">, command: WorkerCommand): WorkerCommand {
	const { env, cwd } = supervisor.command;
	return {
		...(cwd === undefined ? {} : { cwd }),
		...command,
		env: { ...env, ...command.env },
	};
}

function pauseWorkers({ roster }: Pick<Parts, "roster">, paused: boolean): void {
	for (const worker of roster.workers) worker.pause(paused);
}

function stateOf({ settings, roster, supervisor, ledger, dispatch }: Parts): HostState {
	return {
		name: settings.name,
		pid: process.pid,
		workerPid: roster.active?.pid,
		command: supervisor.command,
		generation: roster.active?.generation ?? roster.generation,
		ready: roster.active?.ready === true,
		breaker: roster.budget.state,
		inFlight: ledger.size - dispatch.waiting,
		waiting: dispatch.waiting,
	};
}

export type Lazy<T> = {
	load(): Promise<T>;
	/** The load that was asked for, if one was. */
	readonly begun: Promise<T> | undefined;
};

/** For modules that most sessions never need. A failure is not kept, because their files may come back. */
export function loadLazily<T>(load: () => Promise<T>): Lazy<T> {
	let begun: Promise<T> | undefined;
	return {
		load() {
			begun ??= load().catch((error: unknown) => {
				begun = undefined;
				throw error;
			});
			return begun;
		},
		get begun() {
			return begun;
		},
	};
}
