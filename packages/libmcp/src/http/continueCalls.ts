import { Buffer } from "node:buffer";
import type { Fault } from "../fault/fault.ts";
import { createFaultResponse } from "../fault/faultResponse.ts";
import { makeFault } from "../fault/faultTable.ts";
import { RpcError } from "../fault/rpcError.ts";
import { errorAnswer, notificationText, type Outlet } from "../server/protocol/outlet.ts";
import { fateOfCall } from "../sessions/fateOfCall.ts";
import type { KeptCall } from "../sessions/keptSession.ts";
import type { RequestEnvelope } from "../wire/envelope.ts";
import { toJsonId } from "../wire/requestId.ts";
import { scanEnvelope } from "../wire/scanEnvelope.ts";
import type { CallRecord } from "./callRecord.ts";
import type { EventStream } from "./eventStream.ts";
import type { HttpSession } from "./httpSession.ts";

const WHY = "the gateway that ran it was ended and started again";

/** Gives each call that was in flight when the process before this one ended the one answer that it was promised. */
export function continueCalls(session: HttpSession): void {
	for (const call of session.kept?.restored?.calls ?? []) if (call.state !== "answered") continueCall(session, call);
}

function continueCall(session: HttpSession, call: KeptCall): void {
	const frame = Buffer.from(call.request);
	const envelope = scanEnvelope(frame);
	// Only requests are entered in the ledger.
	if (envelope.kind !== "request") return;
	const record = session.kept?.record(envelope, frame, call.call);
	const stream = session.newStream(() => record?.answered(), call.call);
	withdrawQuestions(session, stream);
	const fate = fateOfCall(call);
	switch (fate) {
		case "first_dispatch":
		case "replay":
			session.active++;
			session.rpc.receive(
				envelope,
				frame,
				outletOf(stream, record, () => session.active--),
			);
			return;
		case "reject_exhausted": {
			const detail = `${envelope.method} was begun ${call.attempts} times, and each time ${WHY}`;
			refuse(stream, envelope, makeFault("replay_exhausted", { detail }));
			return;
		}
		// No probe reaches a server that is only now started, so its caller is the one to ask.
		case "probe":
		case "reject_ambiguous":
		case "reject_unexpected_probe":
		case "complete_from_probe":
		case "await_answer":
		case "already_answered": {
			const detail = `${envelope.method} was begun and not answered: ${WHY}`;
			refuse(stream, envelope, makeFault("outcome_unknown", { detail }));
			return;
		}
		default:
			fate satisfies never;
	}
}

function outletOf(stream: EventStream, record: CallRecord | undefined, over: () => void): Outlet {
	return {
		emit: (text) => stream.send(text),
		dispatching: (contract) => record?.dispatching(contract),
		finish: (answer) => {
			over();
			if (answer !== undefined) stream.send(answer.text);
			stream.end();
		},
	};
}

function refuse(stream: EventStream, { id }: RequestEnvelope, fault: Fault): void {
	const { code, message, data } = createFaultResponse(fault);
	stream.send(errorAnswer(id, new RpcError(code, message, data)).text);
	stream.end();
}

/** What the call had asked its client is answered to nobody any more. If the call runs again, it asks again. */
function withdrawQuestions(session: HttpSession, stream: EventStream): void {
	for (const { text } of session.eventsOf(stream.id)) {
		const asked = text === "" ? undefined : scanEnvelope(Buffer.from(text));
		if (asked?.kind !== "request") continue;
		const params = { requestId: toJsonId(asked.id), reason: "the server was started again" };
		stream.send(notificationText("notifications/cancelled", params));
	}
}
