import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EnvelopeWarning } from "../contract/envelope.ts";
import { mcpTransport, measureCapabilities, modelPath, queueMax, toolTimeoutMs } from "../contract/environment.ts";
import { CleatsError } from "../contract/errors.ts";
import { TOOL_NAMES, toolOf } from "../registry/registry.ts";
import { loadEmbedder } from "../vectors/loadEmbedder.ts";
import type { ToolCall, ToolHandler } from "../workspace/toolCall.ts";
import type { OpenedRepository } from "../workspace/workspace.ts";
import { QUEUE_MAX } from "./admission.ts";

export const reportIndexStatus: ToolHandler<"index_status"> = async (_args, call) => {
	const { label, engine } = await call.repository();
	// The comparison with the disk was made for this answer, so its time is the envelope's.
	const { checkedAt: _, ...status } = await engine.status();
	return { repo: label, status };
};

export const reportWorkspaceStatus: ToolHandler<"workspace_status"> = async (_args, { workspace, signal }) => {
	const repositories: Record<string, unknown>[] = [];
	for (const root of workspace.repositories) {
		signal.throwIfAborted();
		const engine = await workspace.engine(root);
		const { indexed, files, chunks, stale, building, builtAt, branch } = await engine.status();
		repositories.push({
			repo: workspace.nameOf(root),
			default: repositories.length === 0,
			index: { indexed, files, chunks, stale, building, ...(builtAt && { builtAt }), ...(branch && { branch }) },
		});
	}
	return { repositories };
};

export const reportConfiguration: ToolHandler<"config_status"> = async ({ host }, call) => {
	const repository = await call.repository();
	const model = await loadEmbedder(undefined);
	const warnings = warningsOf(repository, model);
	for (const warning of warnings) call.warn(warning);
	return {
		repo: repository.label,
		config: configOf(call, model.embedder?.id ?? null),
		capabilities: measureCapabilities(),
		warnings,
		...(host === true && { host: await hostReport() }),
	};
};

function configOf({ workspace }: ToolCall, model: string | null): Record<string, unknown> {
	const limit = toolTimeoutMs();
	return {
		transport: mcpTransport(),
		repositories: workspace.repositories.length,
		cache: { exists: existsSync(join(workspace.cacheRoot, "repos")) },
		model,
		queueMax: queueMax() ?? QUEUE_MAX,
		timeoutsMs: Object.fromEntries(
			TOOL_NAMES.map((name) => [name, Math.min(toolOf(name).timeoutMs, limit ?? Number.POSITIVE_INFINITY)]),
		),
	};
}

function warningsOf({ engine }: OpenedRepository, model: { readonly problem?: string; readonly embedder?: unknown }) {
	const warnings: EnvelopeWarning[] = [];
	if (!engine.indexed()) warnings.push({ code: "index_missing", message: "the repository has no index; build one" });
	if (model.embedder === undefined) {
		const reason =
			model.problem === undefined ? "no embedding model is installed" : "the embedding model is unreadable";
		const field = modelPath() === undefined ? {} : { field: "PAIROFCLEATS_MODEL" };
		warnings.push({ code: "model_missing", message: `${reason}; searches use words alone`, ...field });
	}
	return warnings;
}

/** Health and telemetry in the common form of every hosted server. */
async function hostReport(): Promise<Record<string, unknown>> {
	const { askHost, runningHosts } = await import("libmcp/control");
	// A gateway has a host for each of its servers: ours is the one whose worker this is.
	for (const { path } of runningHosts().filter(({ pid }) => pid === process.ppid)) {
		const [status, telemetry] = await Promise.all([
			askHost(path, { op: "status" }),
			askHost(path, { op: "telemetry" }),
		]);
		const value = status.ok ? status.value : undefined;
		if (typeof value !== "object" || value === null || !("workerPid" in value) || value.workerPid !== process.pid)
			continue;
		// The host's own command line names folders of this machine, so only the common payload is passed on.
		return { health: "health" in value ? value.health : null, telemetry: telemetry.ok ? telemetry.value : null };
	}
	throw new CleatsError("CAPABILITY_MISSING", "host: this server runs without a host, so there is no host report", {
		field: "host",
	});
}
