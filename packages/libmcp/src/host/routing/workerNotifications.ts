import type { Buffer } from "node:buffer";
import { resolvePointer } from "../../replay/jsonPointer.ts";
import { META } from "../../server/protocol/protocol.ts";
import { applyEdits } from "../../wire/encodeFrame.ts";
import type { NotificationEnvelope } from "../../wire/envelope.ts";
import { findMember, readSpan, readSpanText } from "../../wire/members.ts";
import { parseRequestId } from "../../wire/requestId.ts";
import type { Callbacks } from "../client/callbacks.ts";
import type { Port } from "../client/clientPort.ts";
import type { Lists } from "../lists/lists.ts";
import type { Roster } from "../state/roster.ts";
import type { Call } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";

const LIST_CHANGES: ReadonlySet<string> = new Set(
	["tools", "prompts", "resources"].map((kind) => `notifications/${kind}/list_changed`),
);

/** What passing a notification on needs of the host. */
export type NotificationParts = {
	readonly port: Pick<Port, "send">;
	readonly roster: Pick<Roster, "active">;
	readonly callbacks: Pick<Callbacks, "cancelledByWorker">;
	readonly lists: Pick<Lists, "mayAnnounce" | "pacer" | "relearn">;
};

/** Passes a worker's notifications on to the client, unless they do not concern it. */
export function passNotification(
	parts: NotificationParts,
	worker: Worker,
	frame: Buffer,
	envelope: NotificationEnvelope,
): void {
	const { port, callbacks, roster } = parts;
	switch (envelope.method) {
		case "notifications/progress":
			progress(parts, worker, frame, envelope);
			return;
		case "notifications/subscriptions/acknowledged":
			passAcknowledgement(parts, subscriptionOf(worker, frame, envelope));
			return;
		case "notifications/cancelled":
			callbacks.cancelledByWorker(worker, frame, envelope);
			return;
		case "notifications/message":
			port.send(subscriptionOf(worker, frame, envelope).frame);
			return;
	}
	const subscription = subscriptionOf(worker, frame, envelope);
	const isListChange = LIST_CHANGES.has(envelope.method);
	// Only the active worker speaks for lists, resources and subscriptions; any worker does for its own calls and tasks,
	// unless it tells of a task under a subscription, which has moved.
	const isShared = isListChange || subscription.named || envelope.method === "notifications/resources/updated";
	if (isShared && worker !== roster.active) return;
	if (isListChange) listChanged(parts, worker, envelope.method, subscription);
	else port.send(subscription.frame);
}

/** Takes a candidate's notification, which concerns nobody before the switch unless it says what will be so after it. */
export function noteCandidateNotification(
	{ callbacks }: NotificationParts,
	worker: Worker,
	frame: Buffer,
	envelope: NotificationEnvelope,
): void {
	if (LIST_CHANGES.has(envelope.method)) worker.listsChanged = true;
	if (envelope.method === "notifications/cancelled") callbacks.cancelledByWorker(worker, frame, envelope);
}

function listChanged({ port, lists }: NotificationParts, worker: Worker, method: string, of: OfSubscription): void {
	if (!lists.mayAnnounce(worker)) return;
	lists.pacer.tell(`${method} ${of.call?.id ?? ""}`, () => {
		if (of.call?.knowledge !== "completed") port.send(of.frame);
	});
	if (method === "notifications/tools/list_changed") lists.relearn(worker);
}

/** Progress counts as activity only for the call it names. For a repeated call it must not go backwards. */
function progress({ port }: NotificationParts, worker: Worker, frame: Buffer, { params }: NotificationEnvelope): void {
	const span = params?.progressToken;
	const token = span && parseRequestId(readSpanText(frame, span));
	const reporter = token && worker.calls.ofToken(token);
	if (span === undefined || reporter?.token === undefined) return;
	reporter.deadline?.progress();
	const value = resolvePointer(readSpan(frame, params), "/progress");
	const rises = typeof value === "number" && value > reporter.highestProgress;
	if (rises) reporter.highestProgress = value;
	if (rises || reporter.replays === 0)
		port.send(token === reporter.token ? frame : applyEdits(frame, [{ span, text: reporter.token }]));
}

/** Sent to the client only once, even if its subscription moves between workers: by the one that has it then. */
function passAcknowledgement({ port }: NotificationParts, { named, call, frame }: OfSubscription): void {
	if (call === undefined ? named : call.acknowledged) return;
	if (call !== undefined) call.acknowledged = true;
	port.send(frame);
}

/** `named`: the notification names a subscription, even if the worker no longer has it. */
type OfSubscription = { readonly named: boolean; readonly call: Call | undefined; readonly frame: Buffer };

/** The subscription that a notification belongs to, if any, and the notification with the client's own id. */
function subscriptionOf(worker: Worker, frame: Buffer, { params }: NotificationEnvelope): OfSubscription {
	const member = params?.meta && findMember(frame, params.meta, [META.subscriptionId]);
	if (member === undefined || !("found" in member)) return { named: false, call: undefined, frame };
	const id = parseRequestId(readSpanText(frame, member.found));
	const call = id && worker.calls.get(id);
	if (call === undefined || id === call.id) return { named: true, call, frame };
	return { named: true, call, frame: applyEdits(frame, [{ span: member.found, text: call.id }]) };
}
