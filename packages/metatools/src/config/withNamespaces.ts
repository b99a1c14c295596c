import { MAX_NAMESPACE_LENGTH, safeName, withHash } from "../catalog/toolId.ts";
import type { Unplaced, UpstreamSpec } from "../upstream/spec.ts";

/**
 * Gives each server a namespace that is not taken. Those whose name can be one come first, and otherwise the order of
 * the list decides.
 */
export function withNamespaces(servers: readonly Unplaced<UpstreamSpec>[], taken: Set<string>): UpstreamSpec[] {
	const exactFirst = servers.toSorted((a, b) => Number(isExact(b.name)) - Number(isExact(a.name)));
	const namespaces = new Map(exactFirst.map(({ name }) => [name, namespaceOf(name, taken)]));
	return servers.map((server) => ({ ...server, namespace: namespaces.get(server.name) ?? server.name }));
}

function isExact(name: string): boolean {
	return safeName(name, MAX_NAMESPACE_LENGTH) === name;
}

function namespaceOf(name: string, taken: Set<string>): string {
	const wanted = safeName(name, MAX_NAMESPACE_LENGTH);
	const namespace = taken.has(wanted) ? withHash(wanted, name, MAX_NAMESPACE_LENGTH) : wanted;
	taken.add(namespace);
	return namespace;
}
