import { folded, suggestion } from "libmcp/launch";
import { CLIENT_IDS, type ClientId, SCOPES, type Scope } from "../clients/clientTable.ts";
import { UsageError } from "./usage.ts";

/** The name our entry has in every client's list. */
export const ENTRY_NAME = "holdfast";

export function clientNamed(word: string | undefined): ClientId {
	const found = CLIENT_IDS.find((id) => id === word);
	if (found !== undefined) return found;
	const got = word === undefined ? "nothing" : `${word}${meant(word)}`;
	throw new UsageError(`client: expected one of ${CLIENT_IDS.join(", ")}, got ${got}`);
}

/** Whoever types `claude` or `gemini-cli` is nearer to a name than letters tell. */
function meant(word: string): string {
	const alike = CLIENT_IDS.filter((id) => word !== "" && (id.startsWith(`${word}-`) || word.startsWith(`${id}-`)));
	return alike.length === 0 ? suggestion(word, CLIENT_IDS) : `; did you mean ${alike.join(" or ")}?`;
}

/** What help says of clients after these words, on as many lines of eighty columns as that takes. */
export function clientsHelp(words: string, end = ""): string {
	return folded(`${words}${CLIENT_IDS.join(", ")}${end}`, 80);
}

export function scopeNamed(word: string): Scope {
	const found = SCOPES.find((scope) => scope === word);
	if (found === undefined) throw new UsageError(`--scope: expected ${SCOPES.join(" or ")}, got ${word}`);
	return found;
}
