import { countText, folded, homeFolder, suggestion, UsageError } from "libmcp/command";
import { CLIENT_IDS, type ClientId, SCOPES, type Scope, thisPlace } from "../clients/clientTable.ts";
import { foundClients } from "../clients/foundClients.ts";
import { came } from "./came.ts";

/** The name of Holdfast's entry in every client's list. */
export const ENTRY_NAME = "holdfast";

export function clientNamed(word: string | undefined): ClientId {
	const found = CLIENT_IDS.find((id) => id === word);
	if (found !== undefined) return found;
	if (word === undefined) throw new UsageError(`client: expected ${hereFirst()}, got nothing`);
	throw new UsageError(`client: expected one of ${CLIENT_IDS.join(", ")}, got ${came(word)}${meant(word)}`);
}

/** All clients, starting with those that have a file on this machine. */
function hereFirst(): string {
	const here = homeFolder() === undefined ? [] : foundClients(thisPlace(), ENTRY_NAME);
	const others = CLIENT_IDS.filter((id) => !here.some((found) => found.id === id)).join(", ");
	if (here.length === 0) return `one of ${others}`;
	const counted = here.map(({ id, servers }) =>
		servers === undefined ? id : `${id} (${countText(servers, "server")})`,
	);
	return `one of those found here, ${counted.join(", ")}${others === "" ? "" : `, or of ${others}`}`;
}

/** Knows `claude` and `gemini-cli`, which a comparison by letters would not match. */
function meant(word: string): string {
	const alike = CLIENT_IDS.filter((id) => word !== "" && (id.startsWith(`${word}-`) || word.startsWith(`${id}-`)));
	return alike.length === 0 ? suggestion(word, CLIENT_IDS) : `; did you mean ${alike.join(" or ")}?`;
}

/** Lists all clients after some words of a help text, folded to eighty columns. */
export function clientsHelp(words: string, end = ""): string {
	return folded(`${words}${CLIENT_IDS.join(", ")}${end}`, 80);
}

export function scopeNamed(word: string): Scope {
	const found = SCOPES.find((scope) => scope === word);
	if (found === undefined) throw new UsageError(`--scope: expected ${SCOPES.join(" or ")}, got ${came(word)}`);
	return found;
}
