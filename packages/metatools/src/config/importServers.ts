import { isObject } from "../contract/json.ts";
import type { UpstreamSpec } from "../upstream/spec.ts";
import { parseFile, reasonOf } from "./configFile.ts";
import { expand } from "./expand.ts";
import { readServers } from "./servers.ts";

/** The servers of a file that belongs to another client. */
export function importServers(
	path: string,
	environment: Readonly<Record<string, string | undefined>>,
	taken: Set<string>,
	warnings: string[],
): UpstreamSpec[] {
	let block: unknown;
	try {
		const file = parseFile(path);
		block = file.mcpServers ?? file.servers ?? {};
	} catch (thrown) {
		// It is not ours, and may be gone with its client.
		warnings.push(`${path} is left out: ${reasonOf(thrown)}`);
		return [];
	}
	// Another client's file may hold what only that client understands: such a server is left out, not the whole file.
	return Object.entries(isObject(block) ? block : {}).flatMap(([name, entry]) => {
		try {
			return readServers({ [name]: expand(entry, environment, name) }, path, taken);
		} catch (thrown) {
			warnings.push(`${path}: ${name} is left out: ${reasonOf(thrown)}`);
			return [];
		}
	});
}
