import type { ReachableSpec } from "../upstream/spec.ts";
import { parseFile, reasonOf, section } from "./configFile.ts";
import { expand } from "./expand.ts";
import { isSwitchedOff, namespaceOf, readServer } from "./servers.ts";

/** The servers of a file that belongs to another client. */
export function importServers(
	path: string,
	environment: Readonly<Record<string, string | undefined>>,
	taken: Set<string>,
	warnings: string[],
): ReachableSpec[] {
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
	return Object.entries(section(block)).flatMap(([name, entry]) => {
		if (isSwitchedOff(entry)) return [];
		try {
			const expanded = expand(entry, environment, name);
			return [readServer(name, namespaceOf(name, taken), expanded, `${path}.${name}`)];
		} catch (thrown) {
			warnings.push(`${path}: ${name} is left out: ${reasonOf(thrown)}`);
			return [];
		}
	});
}
