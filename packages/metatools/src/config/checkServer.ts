import type { ReachableSpec } from "../upstream/spec.ts";
import { expand } from "./expand.ts";
import { readServer } from "./servers.ts";

/**
 * The server that a gateway would run for this `mcpServers` entry, with its variables filled in; throws if it could not
 * use it, with a message that names the field below `place`.
 */
export function checkServer(
	name: string,
	entry: unknown,
	place: string,
	environment: Readonly<Record<string, string | undefined>>,
): ReachableSpec {
	const at = `${place}.${name}`;
	const variables = new Map<string, string>();
	return { ...readServer(name, expand(entry, environment, at, variables), at, variables), namespace: name };
}
