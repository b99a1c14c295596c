import { join, resolve } from "node:path";
import { userFolder } from "libmcp/command";
import { readText, readTexts, refuseOthers } from "../auth/section.ts";
import { type Catalog, createEntry } from "../catalog/catalog.ts";
import { createTypedCommand, type TypedCommand } from "../catalog/text.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { formatToolId, LOCAL_NAMESPACE } from "../catalog/toolId.ts";
import { type JsonObject, showValue } from "../contract/json.ts";
import { ALLOW, type Gate, LOCAL_VIEWER, type Verdict } from "../run/access.ts";
import { type ApprovedPart, digestTool, selectApproved } from "./approval.ts";
import { Approvals, type Standing } from "./approvals.ts";
import { HeldTools } from "./heldTools.ts";

const MODES = ["auto", "ask", "off"] as const;
export type QuarantineMode = (typeof MODES)[number];

export type QuarantineSettings = {
	/** `auto` approves a tool at first sight, and holds it once it changes; `ask` waits for `metatools approve`, `off` lets every change pass. */
	readonly mode: QuarantineMode;
	readonly file: string;
	/** Namespaces whose tools may change freely. */
	readonly trust?: readonly string[];
};

/** Reads the `quarantine` section of the configuration; throws an Error that names the field. */
export function readQuarantine(section: JsonObject, environment: NodeJS.ProcessEnv): QuarantineSettings {
	refuseOthers(section, ["mode", "file", "trust"], "quarantine");
	const mode = section.mode ?? "auto";
	const known = MODES.find((name) => name === mode);
	if (known === undefined)
		throw new Error(`quarantine.mode: expected one of ${MODES.join(", ")}, got ${showValue(mode)}`);
	const file =
		section.file === undefined
			? join(userFolder("state", environment), "approvals.json")
			: resolve(readText(section.file, "quarantine.file"));
	return { mode: known, file, trust: readTexts(section.trust, "quarantine.trust") };
}

/** A tool that waits for approval. */
export type Quarantined = {
	readonly tool: CatalogTool;
	/** Empty for a tool that was never approved. */
	readonly changed: readonly ApprovedPart[];
	/** The approved version that this one is compared with, if it is another. */
	readonly since?: string;
	readonly approved?: JsonObject;
	readonly now: JsonObject;
};

/** The gate, with methods to list and approve what it holds back. */
export type Quarantine = Gate & {
	/** The file with the approvals and why it cannot be read; undefined if it can be. */
	unreadable(): string | undefined;
	isWaiting(tool: CatalogTool): boolean;
	/** Those that wait, with their whole definitions. */
	waiting(tools: readonly CatalogTool[]): readonly Quarantined[];
	/** Stores refused tools that `approve` would not see by itself, so that they can be approved. */
	hold(...tools: readonly CatalogTool[]): void;
	/** Forgets tools that this process stored. */
	release(...ids: readonly string[]): void;
	/** The tools stored by `hold`, including those approved since. */
	held(): readonly CatalogTool[];
	/** The ids of those that a running gateway serves. */
	served(): ReadonlySet<string>;
	/** Approves them as they are now. */
	approve(tools: readonly CatalogTool[]): void;
	/** Writes pending approvals now; a failure is reported as a problem. */
	save(): void;
	/** Like `save`, but throws on failure. */
	write(): void;
};

type QuarantineOptions = {
	readonly onProblem?: (problem: string) => void;
	/** Writes the command that a person types. */
	readonly command?: TypedCommand;
	/** All versions of a tool that its server offers at the moment. */
	readonly versionsOf?: (tool: CatalogTool) => readonly CatalogTool[];
};

/** A tool that differs from its approval is neither described nor run: the approved description may have been bait. */
export function createQuarantine(
	{ mode, file, trust = [] }: QuarantineSettings,
	{ onProblem, command = createTypedCommand(), versionsOf = () => [] }: QuarantineOptions = {},
): Quarantine {
	const approvals = new Approvals(file, onProblem);
	const heldTools = new HeldTools(file.replace(/(\.json)?$/, ".held.json"), onProblem ?? (() => {}));
	const seen = new WeakMap<CatalogTool, ReturnType<typeof digestTool>>();
	const trusted = new Set([LOCAL_NAMESPACE, ...trust]);
	const passes = ({ namespace }: CatalogTool) => mode === "off" || trusted.has(namespace);
	const standing = (tool: CatalogTool) => {
		const digests = seen.get(tool) ?? digestTool(tool);
		seen.set(tool, digests);
		return approvals.standing(tool, digests);
	};
	/** How a tool that waits compares with its approval. */
	const whyWaiting = (tool: CatalogTool) => {
		if (passes(tool)) return undefined;
		const found = standing(tool);
		if (found.kind === "approved") return undefined;
		const unseen = mode === "auto" && (found.kind === "new" || found.kind === "renumbered");
		return unseen && approvals.hasRoom(tool.namespace) ? undefined : found;
	};
	const refuse = ({ id }: CatalogTool, why: string): Verdict => ({
		kind: "refuse",
		reason: `${id} is quarantined: ${why}. A person can allow it with: ${command("approve", id)}`,
	});
	const refuseUnread = ({ id }: CatalogTool, unreadable: string): Verdict => ({
		kind: "refuse",
		reason: `${id} is quarantined: whether it was approved is not known, because a file cannot be read: ${unreadable}. A person can restore or delete this file`,
	});
	return {
		unreadable: () => approvals.unreadable,
		hold: (...tools) => heldTools.hold(...tools),
		release: (...ids) => heldTools.release(...ids),
		held: () => heldTools.tools(),
		served: () => heldTools.served(),
		approve: (tools) => approvals.approve(tools),
		save: approvals.save,
		write: () => approvals.write(),
		isWaiting: (tool) => whyWaiting(tool) !== undefined,
		waiting: (tools) =>
			tools.flatMap((tool) => {
				const found = whyWaiting(tool);
				return found === undefined ? [] : [describeWaiting(tool, found)];
			}),
		check(tool): Verdict {
			if (passes(tool)) return ALLOW;
			const found = standing(tool);
			if (found.kind === "approved") return ALLOW;
			if (found.kind === "changed") {
				const when = found.since === tool.id ? "it was approved" : `${found.since} was approved`;
				return refuse(tool, `its ${found.parts.join(" and ")} changed since ${when}`);
			}
			if (found.kind === "unknown") return refuseUnread(tool, found.unreadable);
			if (mode === "ask") return refuse(tool, "it was never approved");
			if (!approvals.hasRoom(tool.namespace))
				return refuse(tool, "its server has shown more tools than are approved unseen");
			// Approve the other versions too; later they would look like changes of this one.
			const others = found.kind === "new" ? versionsOf(tool).filter((other) => other.id !== tool.id) : [];
			approvals.approve([...others, tool]);
			return ALLOW;
		},
	};
}

function describeWaiting(tool: CatalogTool, found: Standing): Quarantined {
	const now = selectApproved(tool);
	if (found.kind !== "changed") return { tool, changed: [], now };
	const { definition } = found.approved;
	return {
		tool,
		changed: found.parts,
		now,
		...(found.since !== tool.id && { since: found.since }),
		...(definition !== undefined && { approved: definition }),
	};
}

/** The name under which instructions are approved, as if they were the description of a tool. */
const NAME = "server_instructions";

/**
 * What a server says about the use of its tools, under the same quarantine as their descriptions. If it changed since it
 * was approved, says that instead, and how a person can approve it.
 */
export function approveInstructions(
	{ catalog, quarantine }: { readonly catalog: Catalog; readonly quarantine: Quarantine | undefined },
	{ namespace, backend }: Pick<CatalogTool, "namespace" | "backend">,
	instructions: string | undefined,
): string | undefined {
	const text = instructions?.trim();
	const id = formatToolId(namespace, NAME);
	if (text === undefined || text === "" || catalog.get(id) !== undefined) return undefined;
	const definition = { name: NAME, description: text };
	const said = createEntry({ definition, id, name: NAME }, namespace, backend);
	const verdict = quarantine?.check(said, LOCAL_VIEWER);
	if (verdict?.kind === "refuse") {
		quarantine?.hold(said);
		return verdict.reason;
	}
	quarantine?.release(id);
	return text;
}
