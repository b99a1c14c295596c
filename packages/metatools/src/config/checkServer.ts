import { expand } from "./expand.ts";
import { readServer } from "./servers.ts";

/** Throws, naming the field below `place`, where a gateway could not use this entry of its `mcpServers`. */
export function checkServer(
	name: string,
	entry: unknown,
	place: string,
	environment: Readonly<Record<string, string | undefined>>,
): void {
	const at = `${place}.${name}`;
	readServer(name, name, expand(entry, environment, at), at);
}
