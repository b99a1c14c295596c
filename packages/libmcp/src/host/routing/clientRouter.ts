import type { Buffer } from "node:buffer";
import type { Fault } from "../../fault/fault.ts";
import { makeFault } from "../../fault/faultTable.ts";
import { RPC_CODES } from "../../fault/rpcError.ts";
import { toFault } from "../../fault/toFault.ts";
import { fitMembers } from "../../server/protocol/fitResult.ts";
import { applyEdits } from "../../wire/encodeFrame.ts";
import {
	type Envelope,
	INVALID_FRAME,
	type InvalidEnvelope,
	type NotificationEnvelope,
	type RequestEnvelope,
} from "../../wire/envelope.ts";
import type { FrameEvent } from "../../wire/frame.ts";
import { readSpanText, splitBatch } from "../../wire/members.ts";
import { hasOversizeMethod, readOversizeId } from "../../wire/oversizeId.ts";
import { type RequestId, toJsonId } from "../../wire/requestId.ts";
import { scanEnvelope } from "../../wire/scanEnvelope.ts";
import type { ContractBook } from "../calls/contractBook.ts";
import type { Dispatch } from "../calls/dispatch.ts";
import { type HangParts, handleCancelledByClient } from "../calls/hang.ts";
import type { Ledger } from "../calls/ledger.ts";
import type { Callbacks } from "../client/callbacks.ts";
import { encodeResult, type Port } from "../client/clientPort.ts";
import { createFrameTooLargeFault, encodeFault } from "../client/faultFrame.ts";
import type { Lists } from "../lists/lists.ts";
import type { ReportParts } from "../report/hostHealth.ts";
import { isOpsTool, loadOpsReporter, OPS_TOOLS } from "../report/opsTools.ts";
import type { Session } from "../session/session.ts";
import type { Settings } from "../settings/settings.ts";
import type { HostRecord } from "../state/hostRecord.ts";
import type { Roster } from "../state/roster.ts";
import type { Supervisor } from "../supervision/supervisor.ts";
import { type Call, completeResult } from "../worker/call.ts";

/** What routing the client's messages needs of the host. */
export type ClientRouterParts = HangParts &
	ReportParts & {
		readonly settings: Settings;
		readonly record: HostRecord;
		readonly roster: Roster;
		readonly port: Pick<Port, "send">;
		readonly session: Session;
		readonly book: ContractBook;
		readonly ledger: Ledger;
		readonly callbacks: Pick<Callbacks, "fromClient" | "progressed" | "unreadable">;
		readonly dispatch: Dispatch;
		readonly lists: Lists;
		readonly supervisor: Pick<Supervisor, "tellInitialized">;
	};

/** Routes each message from the client. Requests that need no worker are answered here, at once. */
export class ClientRouter {
	readonly #parts: ClientRouterParts;
	/** Set while the host shuts down: new requests are refused. */
	closing: boolean = false;

	constructor(parts: ClientRouterParts) {
		this.#parts = parts;
	}

	message(frame: Buffer, envelope: Envelope): void {
		switch (envelope.kind) {
			case "request":
				this.#request(frame, envelope);
				return;
			case "notification":
				this.#notification(frame, envelope);
				return;
			case "response":
			case "error-response":
				this.#parts.callbacks.fromClient(frame, envelope);
				return;
			case "invalid":
				if (envelope.reason === "batch" && this.#parts.session.has("batches")) this.#batch(frame, envelope);
				else this.#invalid(envelope);
				return;
		}
	}

	/** Takes each message of a batch by itself, and so answers it: a server may be given only some of them. */
	#batch(frame: Buffer, batch: InvalidEnvelope): void {
		const messages = splitBatch(frame);
		if (messages.length === 0) this.#invalid(batch);
		for (const message of messages) {
			const envelope = scanEnvelope(message);
			// A batch in a batch is none.
			if (envelope.kind === "invalid") this.#invalid(envelope);
			else this.message(message, envelope);
		}
	}

	/** Refuses a message over the size limit, which was skipped while reading; its head and tail usually reveal its id. */
	oversize(event: Extract<FrameEvent, { type: "oversize" }>): void {
		const { settings, roster, dispatch, record, callbacks } = this.#parts;
		const fault = createFrameTooLargeFault(event.size, settings, roster.generation);
		record.fault(fault);
		const id = readOversizeId(event);
		if (id !== undefined && !hasOversizeMethod(event)) callbacks.unreadable(id, fault);
		else dispatch.answer(this.#refusal(id, fault));
	}

	#request(frame: Buffer, envelope: RequestEnvelope): void {
		const { session, ledger, port, dispatch, settings } = this.#parts;
		if (envelope.method === "ping" && session.era !== "modern") {
			if (ledger.has(envelope.id)) this.#duplicate(envelope);
			else port.send(encodeResult(envelope.id, {}));
			return;
		}
		const call = ledger.admit(frame, envelope);
		if (call === undefined) {
			this.#duplicate(envelope);
			return;
		}
		if (this.closing) {
			const generation = this.#parts.roster.generation;
			ledger.fail(call, makeFault("host_closing", { detail: "shutting down", generation }));
			return;
		}
		if (settings.opsTools && this.#answerItself(call)) return;
		const known = session.era;
		session.observe(call);
		dispatch.submit(call);
		// Without a handshake, the first request is the first chance to read the server's lists. A discovery does not count:
		// after a host's own modern request, a server may refuse the client's handshake.
		if (session.era === "modern" && known !== "modern") void this.#parts.lists.refresh();
	}

	/** Answers calls of the host's own tools, and lists them when the server has no tools. */
	#answerItself(call: Call): boolean {
		const { session, ledger, port, roster } = this.#parts;
		// Settle the call first, so that a report of the calls in flight does not count the call that asks for it.
		const answer = (result: (call: Call) => Record<string, unknown>): void => {
			if (!ledger.settle(call, { kind: "ok" })) return;
			const fit = fitMembers(session.revision, call.method, result(call));
			port.send(encodeResult(call.id, completeResult(call, fit)));
		};
		if (call.tool !== undefined && isOpsTool(call.tool)) {
			// The reports are read from disk on first use, and an uninstall may have removed them.
			loadOpsReporter(this.#parts).then(answer, (error) => ledger.fail(call, toFault(error, roster.generation)));
			return true;
		}
		const toolless = session.negotiated !== undefined && !Object.hasOwn(session.negotiated.capabilities, "tools");
		if (call.method !== "tools/list" || !toolless) return false;
		answer(() => ({ tools: OPS_TOOLS }));
		return true;
	}

	#notification(frame: Buffer, envelope: NotificationEnvelope): void {
		const { session, roster, supervisor, dispatch, callbacks } = this.#parts;
		if (envelope.method === "notifications/cancelled") {
			this.#cancelled(frame, envelope);
			return;
		}
		if (envelope.method === "notifications/progress" && callbacks.progressed(frame, envelope)) return;
		if (envelope.method !== "notifications/initialized") {
			if (envelope.method === "notifications/roots/list_changed") this.#tellOthers(frame);
			dispatch.notify(frame);
			return;
		}
		session.initialized = frame;
		// A worker that is still warming up is told as part of its warm-up.
		if (roster.active?.ready === true) supervisor.tellInitialized(roster.active);
	}

	/** Other workers have asked for the roots too, and one of them may serve next. */
	#tellOthers(frame: Buffer): void {
		const { workers, active } = this.#parts.roster;
		for (const worker of workers) if (worker !== active && worker.toldInitialized && !worker.over) worker.send(frame);
	}

	/** The client cancelled: a call that has not started is dropped, a running one is told to stop. */
	#cancelled(frame: Buffer, envelope: NotificationEnvelope): void {
		const { ledger, dispatch } = this.#parts;
		const span = envelope.params?.requestId;
		const call = span && ledger.ofCancellation(readSpanText(frame, span));
		if (call === undefined || span === undefined || call.method === "initialize") return;
		const { worker } = call;
		if (!ledger.settle(call, { kind: "cancelled" })) return;
		dispatch.remove(call);
		if (worker !== undefined && !worker.gone) {
			worker.calls.abandon(call);
			worker.send(applyEdits(frame, [{ span, text: call.wireId }]));
			handleCancelledByClient(this.#parts, call, worker);
		}
		dispatch.pump();
	}

	#duplicate(envelope: RequestEnvelope): void {
		const fault = makeFault("duplicate_id", {
			detail: `id ${envelope.id.slice(0, 64)} is already in flight`,
			generation: this.#parts.roster.generation,
		});
		this.#parts.record.fault(fault);
		this.#parts.dispatch.answer(this.#refusal(envelope.id, fault));
	}

	#invalid(envelope: InvalidEnvelope): void {
		const { code } = INVALID_FRAME[envelope.reason];
		const fault = makeFault(code === RPC_CODES.parseError ? "bad_json" : "bad_envelope", {
			detail: envelope.detail,
			generation: this.#parts.roster.generation,
		});
		this.#parts.record.fault(fault);
		if (envelope.answers !== undefined && this.#parts.callbacks.unreadable(envelope.answers, fault)) return;
		this.#parts.dispatch.answer(this.#refusal(envelope.id, fault));
	}

	/** Sent without an id when a call in flight has the same id: an answer under it would end that call. */
	#refusal(id: RequestId | undefined, fault: Fault): Buffer {
		const { ledger, settings } = this.#parts;
		if (id === undefined || !ledger.has(id)) return encodeFault(settings, id, fault);
		return encodeFault(settings, undefined, fault, { id: toJsonId(id) });
	}
}
