import { resolvePointer } from "../../replay/jsonPointer.ts";
import { META } from "../../server/protocol.ts";
import { readSpan } from "../../wire/readSpan.ts";
import { writtenId } from "../../wire/requestId.ts";
import type { Parts } from "../parts.ts";
import type { Call } from "../worker/call.ts";
import type { CatalogueKind } from "./catalogue.ts";

/** Tells the client that lists it may have read have changed. */
export function announceChanges({ port, session, ledger }: Parts, changed: readonly CatalogueKind[]): void {
	for (const kind of changed) {
		const method = `notifications/${kind}/list_changed`;
		if (session.era !== "modern") {
			port.notify(method);
			continue;
		}
		// A modern client hears only about what it subscribed to, under the id of each subscription.
		for (const call of ledger.calls()) {
			if (listensTo(call, kind)) port.notify(method, { _meta: { [META.subscriptionId]: writtenId(call.id) } });
		}
	}
}

function listensTo(call: Call, kind: CatalogueKind): boolean {
	if (!call.standing) return false;
	const params = readSpan(call.frame, call.envelope.params);
	return resolvePointer(params, `/notifications/${kind}ListChanged`) === true;
}
