import type { ReachableSpec, Unplaced } from "../upstream/spec.ts";
import { parseFile, reasonOf, section } from "./configFile.ts";
import { expand } from "./expand.ts";
import { INSTALLED_NAME, isGatewayEntry } from "./gatewayEntry.ts";
import { isSwitchedOff, readServer } from "./servers.ts";

/** The servers of a file that belongs to another client. */
export function importServers(
	path: string,
	environment: Readonly<Record<string, string | undefined>>,
	warnings: string[],
): Unplaced<ReachableSpec>[] {
	let block: unknown;
	try {
		const { value: file } = parseFile(path);
		block = file.mcpServers ?? file.servers ?? {};
	} catch (thrown) {
		// The file belongs to another client and may have been removed with it.
		warnings.push(`${path} is left out: ${reasonOf(thrown)}`);
		return [];
	}
	// Another client's file may hold entries that only that client understands: skip the entry, not the whole file.
	return Object.entries(section(block)).flatMap(([name, entry]) => {
		if (isSwitchedOff(entry)) return [];
		try {
			const variables = new Map<string, string>();
			const expanded = expand(entry, environment, name, variables);
			const server = readServer(name, expanded, `${path}.${name}`, variables);
			if (!isGatewayEntry(server)) return [server];
			// The entry that `holdfast install` writes is meant to be there.
			if (name !== INSTALLED_NAME) warnings.push(`${path}: ${name} is left out: it is the gateway itself`);
			return [];
		} catch (thrown) {
			warnings.push(`${path}: ${name} is left out: ${reasonOf(thrown)}`);
			return [];
		}
	});
}
