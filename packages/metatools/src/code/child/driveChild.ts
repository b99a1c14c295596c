import { StringDecoder } from "node:string_decoder";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Custody } from "libmcp";
import type { CodeLanguage, CodeLimits } from "../engine.ts";
import { type GuestMessage, isGuestMessage } from "../guestMessage.ts";
import type { PreparedScript } from "../script/prepareScript.ts";
import type { RunSession } from "../session/runSession.ts";
import { borrowSlot, type WorkerPool } from "../wasm/workerPool.ts";
import type { ToChild } from "./childProgram.ts";

/** A guest's line is JSON inside JSON, so escapes may make it six times as long as the value. */
const ESCAPE_GROWTH = 7;
const MAX_BYTES = 67_108_864;

/** Exchanges messages with a guest process until the session is over; the caller ends the process. */
export async function driveChild(
	session: RunSession,
	custody: Custody,
	script: string,
	seed: number | null,
	limits: CodeLimits,
): Promise<void> {
	const { stdin, stdout, stderr } = custody.child;
	if (stdin === null || stdout === null || stderr === null) throw new Error("the child has no pipes");
	const send = (message: ToChild): void => void stdin.write(`${JSON.stringify(message)}\n`);
	const lines = new GuestLines(session, limits.maxValueLength * ESCAPE_GROWTH);
	const hearOutput = (chunk: Buffer): void => lines.push(chunk);
	stdout.on("data", hearOutput);
	const errors = new StringDecoder("utf8");
	const hearErrors = (chunk: Buffer): void => session.receive({ kind: "stderr", text: errors.write(chunk) });
	stderr.on("data", hearErrors);
	void custody.exited.then(({ code, signal }) => {
		if (isOutOfMemory(code, signal)) session.fail("memory", "The code ran out of memory.");
		else if (signal !== null || isNotStarted(code)) {
			session.fail("crashed", `The process of the code ended early (${signal ?? `exit code ${code}`}).`);
		} else session.fail("exited", `The code ended its process (exit code ${code}).`);
	});
	session.connect((reply) => send({ to: "reply", ...reply }));
	send({ to: "start", script, seed, maxCallLength: limits.maxArgumentsLength });
	await session.over;
	// What was printed by now can still be read; what follows comes of ending the process.
	await nextTurn();
	stdout.off("data", hearOutput);
	stderr.off("data", hearErrors);
}

/** A heap that is full aborts the process; a container over its limit is killed. */
function isOutOfMemory(code: number | null, signal: NodeJS.Signals | null): boolean {
	return signal === "SIGABRT" || signal === "SIGTRAP" || code === 134 || code === 133 || code === 137;
}

/** Docker's own codes: it could not create the container, or could not run or find the program in it. */
function isNotStarted(code: number | null): boolean {
	return code === 125 || code === 126 || code === 127;
}

/** Splits the guest's output into messages. Anything else was written directly to stdout and counts as such. */
class GuestLines {
	readonly #session: RunSession;
	readonly #maxLine: number;
	readonly #decoder = new StringDecoder("utf8");
	#rest = "";
	#bytes = 0;

	constructor(session: RunSession, maxLine: number) {
		this.#session = session;
		this.#maxLine = maxLine;
	}

	push(chunk: Buffer): void {
		this.#bytes += chunk.length;
		if (this.#bytes > MAX_BYTES) {
			this.#session.fail("limits", `The code wrote more than ${MAX_BYTES} bytes.`);
			return;
		}
		const lines = (this.#rest + this.#decoder.write(chunk)).split("\n");
		this.#rest = lines.pop() ?? "";
		for (const line of lines) this.#take(line);
		if (this.#rest.length > this.#maxLine) this.#session.fail("value", "The code wrote a line that is too long.");
	}

	#take(line: string): void {
		this.#session.receive(messageIn(line) ?? { kind: "stdout", text: `${line}\n` });
	}
}

function messageIn(line: string): GuestMessage | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return isGuestMessage(value) ? value : undefined;
	} catch {
		// What is no JSON was printed.
		return undefined;
	}
}

/** Parses hostile text in a thread that can be killed, like the WASM sandbox. Undefined when the run ended meanwhile. */
export async function prepareInWorker(
	pool: WorkerPool,
	session: RunSession,
	language: CodeLanguage,
	code: string,
): Promise<string | undefined> {
	const slot = await borrowSlot(pool, session);
	if (slot === undefined) return undefined;
	const answer = Promise.withResolvers<PreparedScript | undefined>();
	slot.hold({
		onMessage: (message) => {
			if (message.from === "prepared") answer.resolve(message.prepared);
		},
		onDeath: () => answer.resolve(undefined),
	});
	void session.over.then(() => answer.resolve(undefined));
	session.prepare();
	slot.post({ to: "prepare", language, code });
	const prepared = await answer.promise;
	pool.release(slot, prepared !== undefined && (prepared.ok || prepared.hasTrapped !== true));
	if (prepared?.ok === false) session.receive({ kind: "syntax", text: JSON.stringify(prepared) });
	else if (prepared === undefined) session.fail("crashed", "The code could not be parsed.");
	if (prepared?.ok !== true) return undefined;
	session.began(prepared.insertions);
	return prepared.script;
}
