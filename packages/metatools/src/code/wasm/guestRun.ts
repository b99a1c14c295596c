import { isObject } from "../../contract/json.ts";
import { describeDeadline } from "../engine.ts";
import { type GuestKind, type HostReply, parseBounded } from "../guestMessage.ts";
import type { EvalProblem, Interpreter } from "./interpreter.ts";
import { Outbox } from "./outbox.ts";
import type { StartRun } from "./workerMessage.ts";

const MAX_SLEEP_TEXT = 100;
/** Longer than any run, and no more than Node's timers can count. */
const MAX_SLEEP_MS = 3_600_000;
const JOBS_PER_TURN = 1_000;
const MOST_LOST = 100;
const OUT_OF_MEMORY = JSON.stringify({ name: "InternalError", message: "out of memory" });
const STACK_OVERFLOW = JSON.stringify({ name: "InternalError", message: "stack overflow" });

type GuestRunEvents = {
	post(kind: GuestKind, text: string): void;
	/** Called once, after the last post. A worker whose interpreter crashed is not reusable. */
	ended(reusable: boolean): void;
	/** Whether the host has asked the run to stop. */
	stopRequested(): boolean;
};

/** Drives one interpreter through one run inside the worker: pumps its jobs, passes its messages, stops it in time. */
export class GuestRun {
	readonly #interpreter: Interpreter;
	readonly #run: StartRun;
	readonly #events: GuestRunEvents;
	readonly #outbox: Outbox;
	readonly #stopwatch: Stopwatch;
	readonly #sleeps = new Set<NodeJS.Timeout>();
	#outstanding = 0;
	#calls = 0;
	#lost = 0;
	#over: boolean = false;
	#pumping: boolean = false;
	#cut: boolean = false;
	#finished: boolean = false;

	constructor(interpreter: Interpreter, run: StartRun, events: GuestRunEvents) {
		this.#interpreter = interpreter;
		this.#run = run;
		this.#events = events;
		this.#outbox = new Outbox(events.post, run.maxStdoutLength, run.maxStderrLength);
		this.#stopwatch = new Stopwatch(run.wallMs, run.cpuMs, events.stopRequested);
	}

	start(script: string): void {
		this.#guarded(() => {
			const problem = this.#interpreter.start(script, (kind, text) => this.#hear(kind, text), {
				seed: this.#run.seed,
				interrupted: () => this.#interrupted(),
			});
			if (problem !== undefined) this.#endWith(problem);
		});
	}

	settle(reply: HostReply): void {
		this.#outstanding -= 1;
		this.#guarded(() => {
			const problem = this.#interpreter.settle(reply);
			if (problem !== undefined) this.#endWith(problem);
		});
	}

	/** Stops a waiting run; a computing one notices `stopRequested` by itself. */
	stop(): void {
		this.#end();
	}

	/** Handles a message from the guest. Guest code that gets hold of this function gains nothing: all of it is allowed. */
	#hear(kind: string, text: string): string {
		if (this.#over) return "";
		switch (kind) {
			case "stdout":
			case "stderr":
				this.#outbox.print(kind, printedText(text));
				return "";
			case "progress":
				if (text.length <= this.#run.maxCallLength) this.#outbox.report(text);
				return "";
			case "lost":
				if (++this.#lost <= MOST_LOST) this.#events.post(kind, text);
				return "";
			case "call":
				return this.#hearCall(text);
			case "sleep":
				return this.#sleep(text);
			case "done":
			case "unsendable":
			case "fail":
				// Code that was interrupted inside an async function arrives here as if it had thrown.
				if (this.#cut) {
					this.#endWith(undefined);
					return "";
				}
				// The guest function that sent this is still running; the run ends when it returns.
				this.#outbox.flush();
				this.#events.post(kind, text);
				this.#over = true;
				return "";
			default:
				return "";
		}
	}

	#hearCall(text: string): string {
		const { maxCalls, maxCallLength } = this.#run;
		if (text.length > maxCallLength)
			return refusal(`The arguments are ${text.length} characters of JSON; at most ${maxCallLength} can be sent.`);
		if (++this.#calls > maxCalls) return refusal(`This run may reach for its tools ${maxCalls} times.`);
		this.#outstanding += 1;
		this.#events.post("call", text);
		return "";
	}

	/** Treats a guest's timer as a call that answers itself. */
	#sleep(text: string): string {
		const { maxCalls } = this.#run;
		if (++this.#calls > maxCalls) return refusal(`This run may start ${maxCalls} timers.`);
		const { id, ms } = sleepOf(text);
		this.#outstanding += 1;
		const timer = setTimeout(() => {
			this.#sleeps.delete(timer);
			this.settle({ id, ok: true, text: "null" });
		}, ms);
		this.#sleeps.add(timer);
		return "";
	}

	#interrupted(): boolean {
		this.#outbox.flushIfDue();
		this.#cut ||= this.#stopwatch.check() !== undefined;
		return this.#over || this.#cut;
	}

	/** Every entry into the interpreter goes through here: whatever it throws at the host ends the run and the worker. */
	#guarded(enter: () => void): void {
		if (this.#over) return;
		try {
			enter();
			if (!this.#over) this.#pump();
			else this.#finish(true);
		} catch (thrown) {
			// Code whose time is up already is interrupted before it begins, which the interpreter takes for its own failure.
			if (this.#cut) {
				this.#endWith(undefined);
				return;
			}
			this.#over = true;
			this.#outbox.flush();
			// The interpreter's parser can overflow the thread's stack before it reaches its own limit.
			if (thrown instanceof RangeError) this.#events.post("fail", STACK_OVERFLOW);
			else if (this.#interpreter.hasUsedUpMemory) this.#events.post("fail", OUT_OF_MEMORY);
			else
				this.#events.post("crashed", `The sandbox failed: ${thrown instanceof Error ? thrown.name : typeof thrown}.`);
			this.#finish(false);
		}
	}

	#pump(): void {
		if (this.#pumping) return;
		const { more, problem } = this.#interpreter.runJobs(JOBS_PER_TURN);
		this.#outbox.flushIfDue();
		if (this.#over) this.#finish(true);
		else if (problem !== undefined || this.#stopwatch.check() !== undefined) this.#endWith(problem);
		else if (more) this.#pumpLater();
		else if (this.#outstanding === 0) this.#endUnsettled();
		else this.#outbox.flush();
	}

	/** Between turns the worker reads its messages: answers of tools, and the host's stop. */
	#pumpLater(): void {
		this.#pumping = true;
		setImmediate(() => {
			this.#pumping = false;
			this.#guarded(() => {});
		});
	}

	/** If memory runs out inside a job, that job and everything waiting for it may silently disappear. */
	#endUnsettled(): void {
		if (this.#interpreter.hasUsedUpMemory) this.#end("fail", OUT_OF_MEMORY);
		else this.#end("stalled");
	}

	#endWith(problem: EvalProblem | undefined): void {
		const verdict = this.#stopwatch.check();
		if (verdict !== undefined) {
			if (verdict.kind === "stopped") this.#end();
			else this.#end(verdict.kind, verdict.text);
		} else if (problem !== undefined)
			this.#end(problem.name === "SyntaxError" ? "syntax" : "fail", JSON.stringify(problem));
	}

	#end(kind?: GuestKind, text = ""): void {
		if (this.#over) return;
		this.#over = true;
		this.#outbox.flush();
		if (kind !== undefined) this.#events.post(kind, text);
		this.#finish(true);
	}

	#finish(reusable: boolean): void {
		if (this.#finished) return;
		this.#finished = true;
		for (const timer of this.#sleeps) clearTimeout(timer);
		this.#events.ended(reusable);
	}
}

/** Unwraps printed text. The prelude sends JSON, but guest code that calls the host directly may send anything. */
function printedText(json: string): string {
	try {
		return String(JSON.parse(json));
	} catch {
		// Guest code may send any text.
		return json;
	}
}

function sleepOf(json: string): { readonly id: number; readonly ms: number } {
	const asked = parseBounded(json, MAX_SLEEP_TEXT, 1)?.value;
	const { id, ms } = isObject(asked) ? asked : {};
	return { id: Number(id), ms: Math.min(Number(ms) || 0, MAX_SLEEP_MS) };
}

function refusal(message: string): string {
	return JSON.stringify({ code: "validation_input", message, retryable: false });
}

/** Tells when code must stop: at its deadline, when its processor time is used up, or when the host says so. */
class Stopwatch {
	readonly #wallMs: number;
	readonly #cpuMs: number;
	readonly #flagged: () => boolean;
	readonly #startedAt = performance.now();
	readonly #cpuStart = threadCpuMs();
	#verdict: StopVerdict | undefined;

	constructor(wallMs: number, cpuMs: number, flagged: () => boolean) {
		this.#wallMs = wallMs;
		this.#cpuMs = cpuMs;
		this.#flagged = flagged;
	}

	/** Once a verdict is given it stays. */
	check(): StopVerdict | undefined {
		this.#verdict ??= this.#look();
		return this.#verdict;
	}

	#look(): StopVerdict | undefined {
		if (this.#flagged()) return { kind: "stopped", text: "" };
		if (performance.now() - this.#startedAt >= this.#wallMs)
			return { kind: "deadline", text: describeDeadline("running", this.#wallMs) };
		if (threadCpuMs() - this.#cpuStart >= this.#cpuMs)
			return { kind: "cpu", text: `The code used up its ${this.#cpuMs} ms of processor time.` };
		return undefined;
	}
}

type StopVerdict = { readonly kind: "stopped" | "deadline" | "cpu"; readonly text: string };

/** Older Node cannot measure one thread; there only the wall clock bounds the run. */
function threadCpuMs(): number {
	if (typeof process.threadCpuUsage !== "function") return 0;
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1_000;
}
