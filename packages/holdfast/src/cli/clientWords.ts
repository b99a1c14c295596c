import { CLIENT_IDS, type ClientId, SCOPES, type Scope } from "../clients/clientTable.ts";
import { UsageError } from "./usage.ts";

/** The name our entry has in every client's list. */
export const ENTRY_NAME = "holdfast";

export function clientNamed(word: string | undefined): ClientId {
	const found = CLIENT_IDS.find((id) => id === word);
	if (found === undefined)
		throw new UsageError(`client: expected one of ${CLIENT_IDS.join(", ")}, got ${word ?? "nothing"}`);
	return found;
}

export function scopeNamed(word: string): Scope {
	const found = SCOPES.find((scope) => scope === word);
	if (found === undefined) throw new UsageError(`--scope: expected ${SCOPES.join(" or ")}, got ${word}`);
	return found;
}
