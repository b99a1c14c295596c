import type { Buffer } from "node:buffer";
import { createFaultResponse } from "../../fault/faultResponse.ts";
import { makeFault } from "../../fault/faultTable.ts";
import { resolvePointer } from "../../replay/jsonPointer.ts";
import { PROTOCOL_ERRORS } from "../../server/protocol/rpcErrors.ts";
import type { CallOutcome } from "../../telemetry/record.ts";
import { replaceId } from "../../wire/encodeFrame.ts";
import type { Envelope, ErrorResponseEnvelope, InvalidEnvelope, ResponseEnvelope } from "../../wire/envelope.ts";
import type { FrameEvent } from "../../wire/frame.ts";
import { findMember, readSpan } from "../../wire/members.ts";
import { hasOversizeMethod, readOversizeId } from "../../wire/oversizeId.ts";
import { scanEnvelope } from "../../wire/scanEnvelope.ts";
import type { ContractBook } from "../calls/contractBook.ts";
import type { Dispatch } from "../calls/dispatch.ts";
import type { Ledger } from "../calls/ledger.ts";
import type { LostTasks } from "../calls/recovery.ts";
import type { Callbacks } from "../client/callbacks.ts";
import { encodeError, encodeResult, type Port } from "../client/clientPort.ts";
import { createAnswerTooLargeFault, createFrameTooLargeFault, encodeFault } from "../client/faultFrame.ts";
import type { Lists } from "../lists/lists.ts";
import { OPS_TOOLS } from "../report/opsTools.ts";
import type { Session } from "../session/session.ts";
import { readNegotiated } from "../session/warmUp.ts";
import type { Settings } from "../settings/settings.ts";
import type { HostRecord } from "../state/hostRecord.ts";
import type { Roster } from "../state/roster.ts";
import type { Supervisor } from "../supervision/supervisor.ts";
import { type Call, completeResult } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";
import { addItems, addOpsTools, addTasksOf, findOtherKeepers, promiseListChanges } from "./patchAnswer.ts";
import { noteCandidateNotification, passNotification } from "./workerNotifications.ts";

const MAX_KEPT_BACK = 64;
const JSONRPC = '"jsonrpc"';

/** An answer for the client, and how its call ended. */
type Said = { readonly frame: Buffer; readonly outcome: CallOutcome };

/** What routing a worker's messages needs of the host. */
export type WorkerRouterParts = {
	readonly settings: Settings;
	readonly record: Pick<HostRecord, "fault">;
	readonly roster: Roster;
	readonly port: Pick<Port, "send">;
	readonly session: Session;
	readonly book: ContractBook;
	readonly ledger: Pick<Ledger, "fail" | "settle">;
	readonly lostTasks: LostTasks;
	readonly callbacks: Callbacks;
	readonly dispatch: Pick<Dispatch, "idle" | "pump" | "trials">;
	readonly lists: Lists;
	/** Made after this router, whose events its workers need. */
	readonly tellInitialized: Supervisor["tellInitialized"];
};

/** Routes each message from a worker. A worker that is not active can affect only its own calls. */
export class WorkerRouter {
	readonly #parts: WorkerRouterParts;

	constructor(parts: WorkerRouterParts) {
		this.#parts = parts;
	}

	message(worker: Worker, frame: Buffer, envelope: Exclude<Envelope, InvalidEnvelope>): void {
		if (worker.candidate) {
			this.#candidate(worker, frame, envelope);
			return;
		}
		switch (envelope.kind) {
			case "response":
			case "error-response":
				this.#answer(worker, frame, envelope);
				break;
			case "request":
				this.#parts.callbacks.fromWorker(worker, frame, envelope);
				break;
			case "notification":
				passNotification(this.#parts, worker, frame, envelope);
				break;
		}
	}

	/** An answer over the size limit fails only its own call; a request over the limit is refused. */
	oversize(worker: Worker, event: Extract<FrameEvent, { type: "oversize" }>): void {
		const { settings, record, ledger, book } = this.#parts;
		const { generation } = worker;
		const id = readOversizeId(event);
		if (hasOversizeMethod(event)) {
			const fault = createFrameTooLargeFault(event.size, settings, generation);
			record.fault(fault);
			if (id !== undefined) worker.send(encodeError(id, createFaultResponse(fault)));
			return;
		}
		const only = worker.calls.size === 1 ? worker.calls.values()[0] : undefined;
		const call = id === undefined ? only : worker.calls.get(id);
		const isRepeatable = call !== undefined && book.contract(call) === "convergent";
		const fault = createAnswerTooLargeFault(event.size, settings, generation, isRepeatable);
		record.fault(fault);
		if (call === undefined) return;
		ledger.fail(call, fault);
		this.#afterAnswer(worker, call);
	}

	/** If the frame looks like an answer, fails its call, because no other answer will come. */
	unreadable(worker: Worker, frame: Buffer, why: InvalidEnvelope): void {
		// A JSON log line may have an id, but never this member.
		if (!frame.includes(JSONRPC) || why.reason === "wrong_version") return;
		const call = why.answers && worker.calls.get(why.answers);
		if (call === undefined) return;
		const { generation } = worker;
		const fault = makeFault("unreadable_answer", { detail: why.detail, generation, retry: "never" });
		this.#parts.record.fault(fault);
		this.#parts.ledger.fail(call, fault);
		this.#afterAnswer(worker, call);
	}

	/** Keeps a candidate's messages from the client's user: it may never be switched to. */
	#candidate(worker: Worker, frame: Buffer, envelope: Exclude<Envelope, InvalidEnvelope>): void {
		if (envelope.kind === "notification") noteCandidateNotification(this.#parts, worker, frame, envelope);
		if (envelope.kind !== "request") return;
		const { callbacks } = this.#parts;
		// A ping is answered at once; a server may send one before its session has begun.
		if (envelope.method === "ping") {
			worker.send(encodeResult(envelope.id, {}));
			return;
		}
		if (callbacks.isForCandidate(worker, envelope)) {
			callbacks.fromWorker(worker, frame, envelope);
			return;
		}
		if (worker.toldInitialized && worker.keptBack.length < MAX_KEPT_BACK) {
			worker.keptBack.push({ frame, envelope });
			return;
		}
		const detail = `the candidate asked the client for ${envelope.method.slice(0, 64)} during its warm-up`;
		void worker.end(makeFault("candidate_spoke", { detail, generation: worker.generation }));
	}

	#answer(worker: Worker, frame: Buffer, envelope: ResponseEnvelope | ErrorResponseEnvelope): void {
		if (envelope.id === undefined) return;
		const call = worker.calls.get(envelope.id);
		if (call === undefined) {
			worker.calls.answeredLate(envelope.id);
			return;
		}
		if (envelope.id !== call.id) {
			this.#answerUnderOwnId(worker, frame, envelope, call);
			return;
		}
		this.#answerTo(call, worker, frame, envelope);
	}

	/** Puts the client's id into the frame and reads its spans again. */
	#answerUnderOwnId(
		worker: Worker,
		frame: Buffer,
		envelope: ResponseEnvelope | ErrorResponseEnvelope,
		call: Call,
	): void {
		const own = replaceId(frame, envelope.idSpan, call.id);
		const again = scanEnvelope(own);
		// If only the head of the answer was read, it may nest deeper than the scanner allows.
		const read = again.kind === "response" || again.kind === "error-response" ? again : envelope;
		this.#answerTo(call, worker, own, read);
	}

	#answerTo(call: Call, worker: Worker, frame: Buffer, envelope: ResponseEnvelope | ErrorResponseEnvelope): void {
		// A worker that is ending ends its subscriptions; the client's continues on the next worker.
		if (call.standing && worker.over) return;
		const keepers = findOtherKeepers(this.#parts, call, worker);
		if (envelope.kind === "response" && keepers.length > 0) {
			void addTasksOf(keepers, this.#parts, frame, envelope).then((all) => {
				const read = scanEnvelope(all);
				// The worker may have ended meanwhile, and the call may be running on another.
				if (call.worker !== worker) return;
				if (read.kind === "response") this.#pass(call, worker, all, read);
				else this.#pass(call, worker, frame, envelope);
			});
			return;
		}
		this.#pass(call, worker, frame, envelope);
	}

	#pass(call: Call, worker: Worker, frame: Buffer, envelope: ResponseEnvelope | ErrorResponseEnvelope): void {
		const isResult = envelope.kind === "response";
		const said = isResult ? this.#result(call, worker, frame, envelope) : this.#error(call, worker, frame, envelope);
		const { ledger, port, lostTasks, book } = this.#parts;
		if (!ledger.settle(call, said.outcome)) return;
		port.send(isResult ? this.#tellLoss(call, worker, said.frame, envelope) : said.frame);
		if (isResult && said.outcome.kind === "ok") this.#remember(call, frame, envelope);
		if (isResult) lostTasks.found(call);
		const isRepeatable = (): boolean => book.contract(call) === "convergent";
		if (worker.tasks.answered(call, frame, envelope, isRepeatable)) worker.calls.expectProgress(call);
		this.#afterAnswer(worker, call);
	}

	/**
	 * Appends what is to be said of lost memory to the content of a tool's answer. One without a list of content, such as a
	 * task's, leaves it to the next answer.
	 */
	#tellLoss(call: Call, worker: Worker, frame: Buffer, envelope: ResponseEnvelope): Buffer {
		const { session, roster } = this.#parts;
		const { note } = session.lostMemory;
		// Only the worker that serves now lacks what another one had in memory.
		if (note === undefined || call.tool === undefined || worker !== roster.active) return frame;
		const told = addItems(frame, envelope, "content", [{ type: "text", text: note }]);
		if (told !== frame) session.lostMemory.forget();
		return told;
	}

	#result(call: Call, worker: Worker, frame: Buffer, envelope: ResponseEnvelope): Said {
		const patched = this.#patched(call, worker, frame, envelope);
		return { frame: patched, outcome: envelope.result.isError ? { kind: "error", code: undefined } : { kind: "ok" } };
	}

	#error(call: Call, worker: Worker, frame: Buffer, envelope: ErrorResponseEnvelope): Said {
		const { settings, lostTasks } = this.#parts;
		// The server does not know a task of its predecessor; only the host knows that it was begun.
		const fault = worker.tasks.has(call) ? undefined : lostTasks.faultOf(call);
		if (fault !== undefined) return { frame: encodeFault(settings, call.id, fault), outcome: { kind: "fault", fault } };
		const code = readSpan(frame, envelope.error.code);
		// Without a handshake, the host may not know that the server has no tools; its own tools exist all the same.
		if (code === PROTOCOL_ERRORS.METHOD_NOT_FOUND && call.method === "tools/list" && settings.opsTools)
			return { frame: encodeResult(call.id, completeResult(call, { tools: OPS_TOOLS })), outcome: { kind: "ok" } };
		if (typeof code !== "number") return { frame, outcome: { kind: "error", code: undefined } };
		const detail = `error ${code} from downstream`;
		const theirs = makeFault("error_response", { detail, generation: worker.generation });
		return { frame, outcome: { kind: "error", code, fault: theirs } };
	}

	#afterAnswer(worker: Worker, call: Call): void {
		if (worker.answers++ === 0) this.#parts.roster.budget.proven();
		const { dispatch } = this.#parts;
		dispatch.trials.finished(call);
		if (!dispatch.idle) dispatch.pump();
	}

	/** Reads or changes the few answers that the host must handle itself. */
	#patched(call: Call, worker: Worker, frame: Buffer, envelope: ResponseEnvelope): Buffer {
		const { session, settings, roster, lists, tellInitialized } = this.#parts;
		if (settings.privateWorker !== undefined) return frame;
		switch (call.method) {
			case "initialize":
				session.seed = { frame: call.frame, idSpan: call.envelope.idSpan };
				session.negotiated = readNegotiated({ frame, envelope });
				lists.catalogue = undefined;
				tellInitialized(worker);
				return promiseListChanges(frame, envelope, settings.opsTools);
			case "server/discover":
				session.negotiated ??= readNegotiated({ frame, envelope });
				return promiseListChanges(frame, envelope, settings.opsTools);
			case "tools/list":
				if (worker === roster.active) this.#learn(frame, envelope);
				return settings.opsTools ? addOpsTools(frame, envelope, session.revision) : frame;
			default:
				return frame;
		}
	}

	#learn(frame: Buffer, envelope: ResponseEnvelope): void {
		const tools = resolvePointer(readSpan(frame, envelope.result), "/tools");
		if (Array.isArray(tools)) this.#parts.lists.learnedPage(tools);
	}

	#remember(call: Call, frame: Buffer, envelope: ResponseEnvelope): void {
		const { session, book } = this.#parts;
		if (call.tool === undefined) {
			session.succeeded(call);
			return;
		}
		const mayFillMemory = book.mayFillMemory(call);
		if (mayFillMemory && isQuestion(call, frame, envelope)) return;
		if (!book.knows(call)) {
			session.rememberEarly(call);
			return;
		}
		if (mayFillMemory) session.lostMemory.fill();
		session.toolSucceeded(call, book.journalEntry(call));
	}
}

/** Whether the call is not over, but asks its client something first: the server keeps nothing until that is answered. */
function isQuestion(call: Call, frame: Buffer, { result }: ResponseEnvelope): boolean {
	// Only the modern era has such results, and reading a large one takes time.
	if (call.envelope.params?.metaProtocolVersion === undefined) return false;
	const member = findMember(frame, result, ["resultType"]);
	return "found" in member && readSpan(frame, member.found) === "input_required";
}
