import { type Host, host } from "libmcp/host";
import {
	fitResult,
	hasFeature,
	looseRequestId,
	type NotificationEnvelope,
	OPS_TOOLS,
	parseRequestId,
	protocolError,
	type RequestEnvelope,
	type RequestId,
	RPC_CODES,
	scanEnvelope,
	writeStderr,
} from "libmcp/serve";
import { isRequest } from "../frontEnd/arrival.ts";
import { BEFORE_ID, type Line, writeError, writeResultLine } from "../frontEnd/lines.ts";
import { isPlainMethod, type PlainFrame } from "../frontEnd/plainFrame.ts";
import type { RequestHandler } from "../frontEnd/stdioFrontEnd.ts";
import { type Answer, UNREADABLE } from "../frontEnd/turns.ts";
import { RECOVERIES, type ToolName } from "../tools/tool.ts";
import { HandedRules } from "./handedRules.ts";
import { diffInHost, StandingAnswers } from "./hostAnswers.ts";
import { PassingBuffers } from "./passingBuffers.ts";

export type HostHandlerOptions = {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly write: (line: Line) => void;
	/** After working on a request for this time, it is abandoned together with its worker. */
	readonly deadlineMs?: number;
};

/** `asExpected`: the answer begins like a result for this request, so it needs no further check. */
type Reply = (answer: Buffer | undefined, asExpected: boolean) => void;

// Hardly anything but a pattern with runaway backtracking takes this long.
const DEADLINE_MS = 20_000;
/** How long a worker may continue with a cancelled request before it is replaced. */
const CANCELLED_MS = 1_000;
// Answers may be larger than questions: a schema file, or a patch of two documents.
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const OPEN_BRACKET = 0x5b;

/** Answers requests through a worker. If it dies, the host starts another and repeats what may be repeated. */
export class HostHandler implements RequestHandler {
	readonly #host: Host;
	readonly #write: (line: Line) => void;
	readonly #pending = new Map<RequestId, Reply>();
	/** The last request that must not be repeated. It runs alone. */
	#once: RequestId | undefined;
	readonly #standing = new StandingAnswers();
	readonly #rules = new HandedRules();
	readonly #passing = new PassingBuffers();
	/** Handshake state is kept here, since a new worker has not seen it. */
	#shakenHands: boolean = false;
	#revision: string | undefined;
	#rollCalls = 0;

	constructor({ command, args, env, write, deadlineMs = DEADLINE_MS }: HostHandlerOptions) {
		this.#write = write;
		this.#host = host({
			command,
			args,
			env,
			name: "synesthetic",
			client: { deliver: (frame) => this.#fromHost(frame) },
			privateWorker: { methods: RECOVERIES, tools: RECOVERIES, otherMethods: "replay_safe", inOrder: true },
			maxFrameBytes: MAX_ANSWER_BYTES,
			deadlines: { hardMs: deadlineMs },
			onWorkerStderr: (line) => writeStderr(`${line}\n`),
		});
		this.#host.events.on("ready", () => {
			this.#standing.renew();
			this.#rules.renew();
		});
	}

	/** Resolves when a worker has read the files and answered everything sent to it before. */
	async ready(): Promise<void> {
		this.#rollCalls += 1;
		const frame = Buffer.from(`{"jsonrpc":"2.0","id":"synesthetic.ready.${this.#rollCalls}","method":"list_schemas"}`);
		const envelope = scanEnvelope(frame);
		if (envelope.kind === "request") await new Promise<unknown>((resolve) => this.#ask(envelope, frame, resolve));
	}

	takesBatches(): boolean {
		return this.#revision !== undefined && hasFeature(this.#revision, "batches");
	}

	/** Requests that may be replayed are pipelined to the worker; others run alone. */
	overlaps({ id, method }: PlainFrame): boolean {
		return REPEATABLE.has(method) && !this.#pending.has(id);
	}

	isUrgent(request: RequestEnvelope, frame: Buffer): boolean {
		if (request.method === "ping") return true;
		// A tool call sent before the handshake is done waits for it.
		if (!this.#shakenHands && request.params?.metaProtocolVersion === undefined) return false;
		return OPS_TOOLS.some(({ name }) => name === toolOf(request, frame));
	}

	/** Answers from the cache or by computing here, if possible; else forwards the frame without reading its params. */
	answerPlain(plain: PlainFrame, frame: Buffer, reply: (answer: Answer) => void): void {
		const { id, idStart, method } = plain;
		const question = this.#standing.questionOf(plain, frame);
		const result =
			question === undefined
				? (diffInHost(plain, frame) ?? this.#rules.verdictIn(plain, frame))
				: this.#standing.find(question);
		if (result !== undefined) {
			this.#host.events.answeredElsewhere(method, id);
			reply(writeResultLine(id, result));
			return;
		}
		const idSpan = { start: idStart, end: idStart + Buffer.byteLength(id) };
		const remember = question === undefined ? undefined : this.#standing.listen(question);
		this.#passOn({ kind: "request", id, idSpan, method, params: undefined }, frame, reply, remember);
	}

	answer(request: RequestEnvelope, frame: Buffer, reply: (answer: Answer) => void): void {
		const { id, method, params } = request;
		if (!isPlainMethod(method) && params !== undefined && frame[params.start] === OPEN_BRACKET) {
			reply(writeError(id, protocolError("INVALID_PARAMS", "params: expected an object, got an array")));
			return;
		}
		if (!isPlainMethod(method) && method !== "ping" && params?.metaProtocolVersion === undefined) {
			if (method === "initialize") {
				this.#initialize(request, frame, reply);
				return;
			}
			if (!this.#shakenHands) {
				reply(writeError(id, protocolError("NOT_INITIALIZED", `${method.slice(0, 64)}: sent before initialize`)));
				return;
			}
		}
		if (this.#pending.has(id))
			reply(writeError(id, protocolError("DUPLICATE_ID", `id: a request with id ${id} is in flight`)));
		else if (isPlainMethod(method)) this.#passOn(request, frame, reply);
		else this.#ask(request, frame, (answer) => reply(this.#fit(request, answer)));
	}

	/** The worker does not know which revision was agreed on, so its answers are cut to that here. */
	#fit({ method, params }: RequestEnvelope, answer: Buffer | undefined): Buffer | undefined {
		const revision = this.#revision;
		const isOld = revision !== undefined && !hasFeature(revision, "structuredContent");
		if (!isOld || answer === undefined || params?.metaProtocolVersion !== undefined) return answer;
		const { result, ...head } = JSON.parse(answer.toString());
		return Buffer.from(JSON.stringify({ ...head, ...(result && { result: fitResult(revision, method, result) }) }));
	}

	notice(notification: NotificationEnvelope, frame: Buffer): void {
		if (isPlainMethod(notification.method)) return;
		this.#host.receive(frame, notification);
		if (notification.method !== "notifications/cancelled") return;
		const span = notification.params?.requestId;
		const id = span && parseRequestId(frame.toString("utf8", span.start, span.end));
		if (id === undefined) return;
		const loose = looseRequestId(id);
		const open = this.#pending.has(id) ? id : [...this.#pending.keys()].find((one) => looseRequestId(one) === loose);
		// The host never answers a cancelled request, so stop waiting for an answer.
		if (open !== undefined) this.#giveUp(open);
	}

	async close(): Promise<void> {
		await this.#host.close();
	}

	#initialize(request: RequestEnvelope, frame: Buffer, reply: (answer: Answer) => void): void {
		if (this.#shakenHands) {
			reply(writeError(request.id, protocolError("ALREADY_INITIALIZED", "initialize: sent a second time")));
			return;
		}
		this.#ask(request, frame, (answer) => {
			this.#shakenHands = answer !== undefined && scanEnvelope(answer).kind === "response";
			if (this.#shakenHands) this.#revision = JSON.parse(String(answer)).result.protocolVersion;
			reply(answer);
		});
	}

	/** Lets the worker read the rest of the frame. A frame that the worker refuses is read again here, to say why. */
	#passOn(
		request: RequestEnvelope,
		frame: Buffer,
		reply: (answer: Answer) => void,
		remember?: (result: string) => void,
	): void {
		this.#ask(request, frame, (answer, asExpected) => {
			if (asExpected && answer !== undefined)
				remember?.(answer.toString("utf8", headOf(request.id).length, answer.length - 1));
			const refused = !asExpected && answer !== undefined && isRefusal(answer) && !isRequest(frame);
			reply(refused ? UNREADABLE : answer);
		});
	}

	#ask(request: RequestEnvelope, frame: Buffer, reply: Reply): void {
		this.#pending.set(request.id, reply);
		if (UNREPEATABLE.has(toolOf(request, frame) ?? request.method)) this.#once = request.id;
		else if (this.#once === request.id) this.#once = undefined;
		this.#host.receive(frame, request);
	}

	#settle(id: RequestId, answer: Buffer | undefined, asExpected: boolean): void {
		const reply = this.#pending.get(id);
		this.#pending.delete(id);
		reply?.(answer, asExpected);
	}

	/**
	 * Gives up a cancelled request. A busy worker cannot see the cancellation, so the request keeps its turn until the
	 * worker is free or replaced: a request that must not be repeated must not reach a worker that may be killed.
	 */
	#giveUp(id: RequestId): void {
		const reply = this.#pending.get(id);
		const ahead = [...this.#pending].slice(0, [...this.#pending.keys()].indexOf(id));
		this.#pending.delete(id);
		// The worker finishes this request before it starts another, so assets still reach the backend in order.
		if (id === this.#once) {
			reply?.(undefined, true);
			return;
		}
		let timer: NodeJS.Timeout;
		// The worker begins it when it has answered those ahead of it, which must not be lost with it.
		const watch = (others: typeof ahead): void => {
			timer = setTimeout(() => {
				if (others.length === 0) void this.#host.restart();
				else watch(others.filter(([other, its]) => this.#pending.get(other) === its));
			}, CANCELLED_MS);
		};
		watch(ahead);
		void this.ready().then(() => {
			clearTimeout(timer);
			reply?.(undefined, true);
		});
	}

	#fromHost(frame: Buffer): void {
		this.#passing.passed(frame.length);
		const [oldest] = this.#pending.keys();
		// Fast path: answers usually come in order and begin like a result. Anything else must be scanned.
		if (oldest !== undefined && isResult(frame, oldest)) {
			this.#settle(oldest, frame, true);
			return;
		}
		const envelope = scanEnvelope(frame);
		if (envelope.kind === "notification" && !this.#rules.take(envelope, frame)) this.#write(frame);
		if (envelope.kind !== "response" && envelope.kind !== "error-response") return;
		// A refusal without an id belongs to the oldest waiting request, because the worker answers in order.
		const id = envelope.id ?? oldest;
		if (id !== undefined) this.#settle(id, frame, false);
	}
}

const REPEATABLE = toolsWith("replay_safe");
const UNREPEATABLE = toolsWith("at_most_once");

function toolsWith(recovery: (typeof RECOVERIES)[ToolName]): ReadonlySet<string> {
	return new Set(Object.entries(RECOVERIES).flatMap(([tool, its]) => (its === recovery ? [tool] : [])));
}

function isResult(frame: Buffer, id: RequestId): boolean {
	const head = headOf(id);
	return frame.toString("latin1", 0, head.length) === head;
}

const UNREAD_CODES = [RPC_CODES.parseError, RPC_CODES.invalidRequest].map(String);

// True when the worker could not read the frame. A host fault is a final answer: retrying would do the work twice.
function isRefusal(answer: Buffer): boolean {
	const envelope = scanEnvelope(answer);
	if (envelope.kind !== "error-response") return false;
	const { start, end } = envelope.error.code;
	return UNREAD_CODES.includes(answer.toString("latin1", start, end));
}

function headOf(id: RequestId): string {
	return `${BEFORE_ID}${id},"result":`;
}

function toolOf({ method, params }: RequestEnvelope, frame: Buffer): string | undefined {
	if (method !== "tools/call" || params?.name === undefined) return undefined;
	const name: unknown = JSON.parse(frame.toString("utf8", params.name.start, params.name.end));
	return typeof name === "string" ? name : undefined;
}
