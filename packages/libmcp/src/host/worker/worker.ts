import type { Buffer } from "node:buffer";
import type { Fault } from "../../fault/fault.ts";
import type { KillFailure } from "../../process/killResult.ts";
import { type Custody, describeExit, type Exit } from "../../process/spawnCustody.ts";
import type { Envelope, InvalidEnvelope, RequestEnvelope } from "../../wire/envelope.ts";
import type { FrameEvent } from "../../wire/frame.ts";
import { NdjsonReader } from "../../wire/ndjsonReader.ts";
import { hasOversizeMethod, readOversizeId } from "../../wire/oversizeId.ts";
import type { RequestId } from "../../wire/requestId.ts";
import { scanEnvelope } from "../../wire/scanEnvelope.ts";
import { HeldCalls } from "./heldCalls.ts";
import { HeldTasks } from "./heldTasks.ts";
import { OwnRequests, type PrivateAnswer } from "./ownRequests.ts";
import { findAnswerOnLine, splitLine } from "./partsOfLine.ts";
import { readPlainAnswer } from "./plainAnswer.ts";
import { type SpawnedWorker, spawnWorker, type WorkerCommand } from "./spawnWorker.ts";
import { StderrTail } from "./stderrTail.ts";
import { WorkerInput } from "./workerInput.ts";

export type WorkerLimits = {
	readonly maxFrameBytes: number;
	readonly graceMs: number;
	/** The worker is our own program, so its answers need not be scanned in full. */
	readonly trusted: boolean;
	readonly maskStderr: ((line: string) => string) | undefined;
};

/** Events of a worker. `lost` is the last one. */
export type WorkerEvents = {
	message(worker: Worker, frame: Buffer, envelope: Exclude<Envelope, InvalidEnvelope>): void;
	/** Output that is not a message, or not one that can be read. */
	garbage(worker: Worker, frame: Buffer, why: InvalidEnvelope): void;
	oversize(worker: Worker, event: Extract<FrameEvent, { type: "oversize" }>): void;
	writable(worker: Worker): void;
	stderr(worker: Worker, line: string): void;
	killFailed(worker: Worker, failure: KillFailure): void;
	/** It closed one of its pipes but still runs, so it can no longer be used. */
	cutOff(worker: Worker, pipe: "input" | "output"): void;
	/** `told`: the host had asked it to end. */
	lost(worker: Worker, exit: Exit, told: boolean): void;
};

/**
 * `aside`: keeps its calls but gets no new ones, because it is warming up, may hang, or was replaced. `ready`: gets
 * calls. `ending`: the host told it to end. `ending` and `gone` are final.
 */
type State = "aside" | "ready" | "ending" | "gone";

const ENDING_MS = 250;
const OPEN_BRACE = 0x7b;

/** One worker process (a generation) and the calls it holds. It may end at any moment. */
export class Worker {
	readonly generation: number;
	readonly command: WorkerCommand;
	readonly calls: HeldCalls = new HeldCalls();
	readonly tasks: HeldTasks = new HeldTasks();
	readonly stderr: StderrTail;
	toldInitialized: boolean = false;
	/** Whether it has asked for the client's roots, and got them. */
	roots: "not asked" | "asked" | "given" = "not asked";
	/** Not in use yet: everything it sends beyond its warm-up is held back. */
	candidate: boolean = false;
	/** Requests to the client that a candidate has made; they are sent once it takes over. */
	readonly keptBack: { readonly frame: Buffer; readonly envelope: RequestEnvelope }[] = [];
	/** As a candidate, it has said that its lists changed: perhaps since they were read. */
	listsChanged: boolean = false;
	/** The number of client calls it has answered. */
	answers = 0;
	lastMessageAt: number = performance.now();
	/** When the host last gave up a call that passed its limit. */
	gaveUpAt: number = Number.NEGATIVE_INFINITY;
	/** When it was last suspected of hanging. It has spoken since if `lastMessageAt` is later. */
	suspectedAt: number = Number.NEGATIVE_INFINITY;
	/** Bytes of the unfinished message at the end of its output. */
	unfinishedBytes = 0;
	#state: State = "aside";
	#verdict: Fault | undefined;
	readonly #custody: Custody;
	readonly #events: WorkerEvents;
	readonly #trusted: boolean;
	readonly #input: WorkerInput;
	readonly #own: OwnRequests;

	static async start(
		command: WorkerCommand,
		generation: number,
		limits: WorkerLimits,
		events: WorkerEvents,
		spawned: Promise<SpawnedWorker> = spawnWorker(command, limits.graceMs),
	): Promise<Worker> {
		const process = await spawned;
		const worker = new Worker(process.custody, command, generation, limits, events);
		process.onKillFailure = (failure) => events.killFailed(worker, failure);
		return worker;
	}

	private constructor(
		custody: Custody,
		command: WorkerCommand,
		generation: number,
		limits: WorkerLimits,
		events: WorkerEvents,
	) {
		const { stdin, stdout, stderr } = custody.child;
		if (stdin === null || stdout === null || stderr === null) throw new TypeError("worker without pipes");
		this.generation = generation;
		this.command = command;
		this.#custody = custody;
		this.#events = events;
		this.#trusted = limits.trusted;
		this.#input = new WorkerInput(stdin);
		this.#own = new OwnRequests(generation);
		this.stderr = new StderrTail((line) => events.stderr(this, line), limits.maskStderr);
		stdin.on("drain", () => events.writable(this));
		stdin.once("close", () => this.#pipeClosed("input"));
		stdout.once("end", () => this.#pipeClosed("output"));
		stderr.on("data", (chunk: Buffer) => this.stderr.push(chunk));
		const reader = new NdjsonReader({ maxFrameBytes: limits.maxFrameBytes, skipMark: true });
		stdout.on("data", (chunk: Buffer) => {
			for (const event of reader.push(chunk)) this.#received(event);
		});
		stdout.on("end", () => {
			for (const event of reader.end()) this.#received(event);
		});
		// If the process is already gone, report the loss only after the caller has this object.
		void custody.exited.then((exit) => setImmediate(() => this.#lost(exit)));
	}

	get pid(): number {
		return this.#custody.pid;
	}

	/** It can be given calls. */
	get ready(): boolean {
		return this.#state === "ready";
	}

	/** It gets no more calls, though it may still answer the ones it has. */
	get over(): boolean {
		return this.#state === "ending" || this.gone;
	}

	get gone(): boolean {
		return this.#state === "gone";
	}

	/** The fault for which the host ends it, if there was one. */
	get verdict(): Fault | undefined {
		return this.#verdict;
	}

	/** True when it cannot take a call now: its input is full, or it has exited and calls wait for its successor. */
	get blocked(): boolean {
		return this.#input.blocked || this.#hasExited;
	}

	/** Once its input is closed: something was said to it since that it cannot have read. */
	get isUnheeded(): boolean {
		return this.#input.isUnheeded;
	}

	/** Its process has ended; its last output may still be unread. */
	get #hasExited(): boolean {
		const { exitCode, signalCode } = this.#custody.child;
		return exitCode !== null || signalCode !== null;
	}

	send(frame: Buffer): void {
		this.#input.write(frame);
	}

	notify(method: string, params: Record<string, unknown>): void {
		this.#input.writeMessage({ jsonrpc: "2.0", method, params });
	}

	/** Sends a request of the host's own, under the id that `send` gets; `what` names it in faults. */
	ask(what: string, send: (id: RequestId) => void, timeoutMs: number): Promise<PrivateAnswer> {
		return this.#own.ask(what, send, timeoutMs);
	}

	/** Like `ask`, but builds the request too. */
	askMethod(method: string, params: unknown, timeoutMs: number): Promise<PrivateAnswer> {
		const send = (id: RequestId): void =>
			this.#input.writeMessage({ jsonrpc: "2.0", id: JSON.parse(id), method, params });
		return this.ask(method, send, timeoutMs);
	}

	/** Back-pressure: while the client does not keep up, the worker's output stays in its pipe. */
	pause(paused: boolean): void {
		if (paused) this.#custody.child.stdout?.pause();
		else this.#custody.child.stdout?.resume();
	}

	/** True while its output is left in the pipe. */
	get paused(): boolean {
		return this.#custody.child.stdout?.isPaused() === true;
	}

	/** Lets it take calls, unless it is over. */
	serve(): void {
		this.candidate = false;
		if (!this.over) this.#state = "ready";
	}

	/** Stops giving it calls for now. */
	setAside(): void {
		if (!this.over) this.#state = "aside";
	}

	/** Closes its input first, so that a well-behaved server can exit by itself before its process tree is ended. */
	async end(verdict?: Fault): Promise<void> {
		if (!this.gone) this.#state = "ending";
		this.#verdict ??= verdict;
		this.#input.end();
		await this.#custody.end();
	}

	#received(event: FrameEvent): void {
		if (this.gone) return;
		if (event.type === "oversize") {
			const id = hasOversizeMethod(event) ? undefined : readOversizeId(event);
			if (id !== undefined) this.#own.unreadable(id, `the answer has ${event.size} bytes, more than are read`);
			this.#events.oversize(this, event);
			return;
		}
		if (event.type === "bad-header") return;
		if (event.type === "residue") {
			this.#lastWords(event.bytes, event.size);
			return;
		}
		this.#line(event.bytes, (this.#trusted && readPlainAnswer(event.bytes, this.calls)) || scanEnvelope(event.bytes));
	}

	/** Handles output without a final newline: a whole message, half of one, or text of a program that is no server. */
	#lastWords(bytes: Buffer, size: number): void {
		const envelope = scanEnvelope(bytes);
		const isHalf =
			envelope.kind === "invalid" &&
			bytes[0] === OPEN_BRACE &&
			findAnswerOnLine(bytes, (id) => this.#isAwaited(id)) === undefined;
		if (isHalf) this.unfinishedBytes = size;
		else this.#line(bytes, envelope);
	}

	#line(bytes: Buffer, envelope: Envelope): void {
		if (envelope.kind !== "invalid") this.#message(bytes, envelope);
		else
			for (const part of splitLine({ bytes, envelope }, (id) => this.#isAwaited(id))) {
				if (part.envelope.kind === "invalid") this.#stray(part.bytes, part.envelope);
				else this.#message(part.bytes, part.envelope);
			}
	}

	#message(bytes: Buffer, envelope: Exclude<Envelope, InvalidEnvelope>): void {
		this.lastMessageAt = performance.now();
		if (!this.#own.answered(bytes, envelope)) this.#events.message(this, bytes, envelope);
	}

	#stray(bytes: Buffer, envelope: InvalidEnvelope): void {
		if (envelope.answers !== undefined) this.#own.unreadable(envelope.answers, envelope.detail);
		this.#events.garbage(this, bytes, envelope);
	}

	#isAwaited(id: RequestId): boolean {
		return this.calls.get(id) !== undefined || this.#own.has(id);
	}

	/** Exiting closes the pipes too, so wait a moment before calling this a fault. */
	#pipeClosed(pipe: "input" | "output"): void {
		setTimeout(() => {
			if (!(this.over || this.#hasExited)) this.#events.cutOff(this, pipe);
		}, ENDING_MS).unref();
	}

	#lost(exit: Exit): void {
		this.stderr.end();
		const told = this.#state === "ending";
		this.#state = "gone";
		this.#own.end(describeExit(exit));
		this.#events.lost(this, exit, told);
	}
}
