import type { CatalogueKind } from "./catalogue.ts";
import type { Parts } from "./parts.ts";

/** Tells the client that lists it may have read are no longer what they were. */
export function announceChanges({ port, session }: Parts, changed: readonly CatalogueKind[]): void {
	// A modern client hears of changes only through the subscription it has opened, which its server answers.
	if (session.era === "modern") return;
	for (const kind of changed) port.notify(`notifications/${kind}/list_changed`);
}
