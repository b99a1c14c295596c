import { failureText } from "libmcp/command";
import type { CatalogTool, Gateway, Quarantined } from "metatools";
import type { Answers } from "../answers.ts";
import { ApiError } from "../apiError.ts";
import {
	COUNT,
	DECLARED_NAMES,
	describeBody,
	describeDeclaredNames,
	describeList,
	describeObject,
	type Endpoint,
	OBJECT,
	TEXT,
} from "../endpoint.ts";

const WAITING = describeObject(
	{
		id: TEXT,
		namespace: TEXT,
		...DECLARED_NAMES,
		fingerprint: TEXT,
		changed: describeList(TEXT),
		approved: OBJECT,
		now: OBJECT,
	},
	["id", "namespace", "fingerprint", "changed", "now"],
);

/** Small, because each entry carries two whole definitions: the approved one and the current one. */
const PAGE = 50;

export const approvalEndpoints: readonly Endpoint[] = [
	{
		method: "GET",
		path: "/api/approvals",
		id: "listApprovals",
		summary: "Tools held back until somebody approves them, as they were approved and as they are now",
		query: { limit: { type: "integer", minimum: 1, maximum: 1_000, default: PAGE } },
		answer: describeObject<Answers["listApprovals"]>(
			{ waiting: describeList(WAITING), total: COUNT, approveAll: TEXT },
			["waiting", "total"],
		),
		handle({ gateway, query: { limit } }) {
			const waiting = waitingIn(gateway);
			const [first] = waiting;
			return {
				waiting: waiting.slice(0, typeof limit === "number" ? limit : PAGE).map(({ tool, ...rest }) => ({
					id: tool.id,
					namespace: tool.namespace,
					...describeDeclaredNames(tool),
					fingerprint: tool.fingerprint,
					...rest,
				})),
				total: waiting.length,
				...(first !== undefined && { approveAll: gateway.command("approve", `${first.tool.namespace}:*`) }),
			};
		},
	},
	{
		method: "POST",
		path: "/api/approvals",
		id: "approveTool",
		summary: "Approve a tool as it was shown: one that changed since is refused",
		body: describeBody({ id: TEXT, fingerprint: TEXT }),
		answer: describeObject({ ok: { const: true } }),
		handle({ gateway, recorder, body: { id, fingerprint } }) {
			const [held] = waitingIn(gateway, (tool) => tool.id === id);
			if (held === undefined) throw new ApiError("not_found", `${JSON.stringify(id)} does not wait for approval`);
			if (held.tool.fingerprint !== fingerprint)
				throw new ApiError("conflict", `${held.tool.id} changed again since it was shown; look at it once more`);
			const unstored = approve(gateway, held.tool);
			recorder.approved(held, unstored === undefined);
			if (unstored !== undefined)
				throw new ApiError(
					"unavailable",
					`${held.tool.id} is approved until the gateway ends, because this cannot be stored, which is tried again: ${unstored}`,
				);
			return { ok: true };
		},
	},
];

/** Why the approval could not be stored; undefined if it is. */
function approve({ quarantine }: Gateway, tool: CatalogTool): string | undefined {
	quarantine?.approve([tool]);
	try {
		quarantine?.write();
		return undefined;
	} catch (thrown) {
		quarantine?.save();
		return failureText(thrown);
	}
}

/** Includes tools that are not in the catalogue because a server showed them to one client only. */
function waitingIn(
	{ catalog, quarantine, upstreams }: Gateway,
	wanted: (tool: CatalogTool) => boolean = () => true,
): readonly Quarantined[] {
	if (quarantine === undefined) return [];
	const namespaces = new Set(upstreams.all.map(({ spec }) => spec.namespace));
	const held = quarantine.held().filter(({ id, namespace }) => namespaces.has(namespace) && !catalog.get(id));
	return quarantine.waiting([...catalog.tools, ...held].filter(wanted));
}
