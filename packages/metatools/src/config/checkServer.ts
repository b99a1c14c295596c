import { expand } from "./expand.ts";
import { readServers } from "./servers.ts";

/** Throws, naming the field below `place`, where no gateway could start with this entry in its `mcpServers`. */
export function checkServer(
	name: string,
	entry: unknown,
	place: string,
	environment: Readonly<Record<string, string | undefined>>,
): void {
	readServers({ [name]: expand(entry, environment, `${place}.${name}`) }, place);
}
