import type { Buffer } from "node:buffer";
import { resolvePointer } from "../replay/jsonPointer.ts";
import { META } from "../server/protocol.ts";
import type { NotificationEnvelope } from "../wire/envelope.ts";
import { memberSpan } from "../wire/memberSpan.ts";
import { parseRequestId } from "../wire/requestId.ts";
import type { Call } from "./call.ts";
import type { Parts } from "./parts.ts";
import { readSpan, spanText } from "./readSpan.ts";
import { rewrite } from "./rewrite.ts";
import type { Worker } from "./worker.ts";

const LIST_CHANGES: ReadonlySet<string> = new Set(
	["tools", "prompts", "resources"].map((kind) => `notifications/${kind}/list_changed`),
);

/** Passes a worker's notifications on to the client, if they concern it. */
export function passNotification(parts: Parts, worker: Worker, frame: Buffer, envelope: NotificationEnvelope): void {
	const { port, callbacks, supervisor, lists } = parts;
	switch (envelope.method) {
		case "notifications/progress":
			progress(parts, worker, frame, envelope);
			return;
		case "notifications/subscriptions/acknowledged":
			acknowledged(parts, subscriptionOf(worker, frame, envelope));
			return;
		case "notifications/cancelled":
			callbacks.cancelledByWorker(worker, frame, envelope);
			return;
		case "notifications/message":
			port.send(subscriptionOf(worker, frame, envelope).frame);
			return;
	}
	const { named, frame: own } = subscriptionOf(worker, frame, envelope);
	const isListChange = LIST_CHANGES.has(envelope.method);
	// Of lists, resources and subscriptions the client hears from the worker that has them now; calls, tasks and questions
	// are still the other's.
	const isShared = isListChange || named || envelope.method === "notifications/resources/updated";
	if (isShared && worker !== supervisor.active) return;
	if (isListChange && !lists.mayAnnounce(worker)) return;
	port.send(own);
	if (envelope.method === "notifications/tools/list_changed") lists.relearn(worker);
}

/** Counts as activity only for the call it names; the progress of a repeated call must not go backwards. */
function progress({ port }: Parts, worker: Worker, frame: Buffer, { params }: NotificationEnvelope): void {
	const span = params?.progressToken;
	const token = span && parseRequestId(spanText(frame, span));
	const reporter = token && worker.calls.ofToken(token);
	if (span === undefined || reporter?.token === undefined) return;
	reporter.deadline?.progress();
	const value = resolvePointer(readSpan(frame, params), "/progress");
	const rises = typeof value === "number" && value > reporter.highestProgress;
	if (rises) reporter.highestProgress = value;
	if (rises || reporter.replays === 0)
		port.send(token === reporter.token ? frame : rewrite(frame, [{ span, text: reporter.token }]));
}

/** Sent to the client once, however many workers its subscription has had. */
function acknowledged({ port }: Parts, { call, frame }: OfSubscription): void {
	if (call?.acknowledged === true) return;
	if (call !== undefined) call.acknowledged = true;
	port.send(frame);
}

/** `named`: it names a subscription, whether or not the worker still has it. */
type OfSubscription = { readonly named: boolean; readonly call: Call | undefined; readonly frame: Buffer };

/** The subscription a notification belongs to, if any, and the notification as the client, who knows its own id only, reads it. */
function subscriptionOf(worker: Worker, frame: Buffer, { params }: NotificationEnvelope): OfSubscription {
	const member = params?.meta && memberSpan(frame, params.meta, [META.subscriptionId]);
	if (member === undefined || !("found" in member)) return { named: false, call: undefined, frame };
	const id = parseRequestId(spanText(frame, member.found));
	const call = id && worker.calls.get(id);
	if (call === undefined || id === call.id) return { named: true, call, frame };
	return { named: true, call, frame: rewrite(frame, [{ span: member.found, text: call.id }]) };
}
