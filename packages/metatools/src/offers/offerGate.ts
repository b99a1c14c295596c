import { createEntry } from "../catalog/catalog.ts";
import { formatToolId, safeName } from "../catalog/toolId.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Quarantine } from "../quarantine/quarantine.ts";
import { LOCAL_VIEWER } from "../run/access.ts";
import type { UpstreamSpec } from "../upstream/spec.ts";

/** Prompts and templates have few words, which are read like the description of a tool; resources are data. */
export type HeldKind = "prompt" | "resource_template";

const MAX_NAME_LENGTH = 60;

/**
 * Why a prompt or a template may not be shown: what its server says of it has changed since it was approved. It is held
 * like a tool and approved by an id of its own; undefined if it may be shown.
 */
export function refusalOf(
	quarantine: Quarantine | undefined,
	{ name: serverName, namespace }: UpstreamSpec,
	kind: HeldKind,
	item: JsonObject,
): string | undefined {
	if (quarantine === undefined) return undefined;
	const { name, arguments: asked, uriTemplate, ...words } = item;
	const declared = `${kind}/${String(name)}`;
	// No tool has a name with a slash here, so that no approval of a tool counts for it.
	const id = formatToolId(namespace, `${kind}/${safeName(String(name), MAX_NAME_LENGTH)}`);
	const definition = {
		...words,
		name: declared,
		inputSchema: { arguments: asked ?? null, template: uriTemplate ?? null },
	};
	const backend = { kind: "mcp", mcp: { serverName } } as const;
	const held = createEntry({ definition, id, name: declared }, namespace, backend);
	const verdict = quarantine.check(held, LOCAL_VIEWER);
	if (verdict.kind !== "refuse") {
		quarantine.release(id);
		return undefined;
	}
	quarantine.hold(held);
	return verdict.reason;
}
