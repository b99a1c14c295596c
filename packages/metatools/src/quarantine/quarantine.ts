import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { readText, refuseOthers } from "../auth/section.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { LOCAL_NAMESPACE } from "../catalog/toolId.ts";
import { type JsonObject, shown } from "../contract/json.ts";
import { ALLOW, type Gate, type Verdict } from "../run/access.ts";
import { Approvals, approvalOf, changedParts } from "./approvals.ts";

const MODES = ["auto", "ask", "off"] as const;
export type QuarantineMode = (typeof MODES)[number];

export type QuarantineSettings = {
	/** `auto` approves a tool at first sight, `ask` waits for `metatools approve`, `off` lets every change pass. */
	readonly mode: QuarantineMode;
	readonly file: string;
};

export function readQuarantine(section: JsonObject, environment: NodeJS.ProcessEnv): QuarantineSettings {
	refuseOthers(section, ["mode", "file"], "quarantine");
	const mode = section.mode ?? "auto";
	const known = MODES.find((name) => name === mode);
	if (known === undefined) throw new Error(`quarantine.mode: expected one of ${MODES.join(", ")}, got ${shown(mode)}`);
	const state = environment.XDG_STATE_HOME || join(homedir(), ".local", "state");
	const file =
		section.file === undefined
			? join(state, "holdfast", "approvals.json")
			: resolve(readText(section.file, "quarantine.file"));
	return { mode: known, file };
}

/** A tool that is not as it was approved can be described and not run: what a model was told of it may have been a bait. */
export function quarantineGate({ mode, file }: QuarantineSettings, onProblem?: (problem: string) => void): Gate {
	const approvals = new Approvals(file, onProblem);
	const seen = new WeakMap<CatalogTool, ReturnType<typeof approvalOf>>();
	return {
		check(tool): Verdict {
			if (mode === "off" || tool.namespace === LOCAL_NAMESPACE) return ALLOW;
			const now = seen.get(tool) ?? approvalOf(tool);
			seen.set(tool, now);
			const approved = approvals.get(tool.id);
			if (approved === undefined) {
				if (mode === "ask") return refuse(tool, "it was never approved");
				approvals.approve([tool]);
				return ALLOW;
			}
			const changed = changedParts(approved, now);
			return changed.length === 0 ? ALLOW : refuse(tool, `its ${changed.join(" and ")} changed since it was approved`);
		},
	};
}

function refuse(tool: CatalogTool, why: string): Verdict {
	return {
		kind: "refuse",
		reason: `${tool.id} is quarantined: ${why}. A person can allow it with: metatools approve ${tool.id}`,
	};
}
