import { expand } from "./expand.ts";
import { readServer } from "./servers.ts";

/** Throws if a gateway could not use this `mcpServers` entry; the message names the field below `place`. */
export function checkServer(
	name: string,
	entry: unknown,
	place: string,
	environment: Readonly<Record<string, string | undefined>>,
): void {
	const at = `${place}.${name}`;
	readServer(name, name, expand(entry, environment, at), at);
}
