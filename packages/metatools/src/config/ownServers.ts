import type { UpstreamSpec } from "../upstream/spec.ts";
import { reasonOf, type ServerEntry } from "./configFile.ts";
import { expand } from "./expand.ts";
import { isSwitchedOff, namespaceOf, readServer } from "./servers.ts";

/** The servers of our own file. One that cannot be used is among them, with the reason, and keeps no other from its work. */
export function ownServers(
	entries: readonly ServerEntry[],
	environment: Readonly<Record<string, string | undefined>>,
	taken: Set<string>,
): UpstreamSpec[] {
	return entries
		.filter(({ entry }) => !isSwitchedOff(entry))
		.map(({ name, entry, problem }) => {
			const namespace = namespaceOf(name, taken);
			const place = `mcpServers.${name}`;
			try {
				if (problem !== undefined) throw new Error(problem);
				return readServer(name, namespace, expand(entry, environment, place), place);
			} catch (thrown) {
				return { kind: "unusable", name, namespace, protocol: "auto", reason: reasonOf(thrown) };
			}
		});
}
