import { runChain } from "../chain/chain.ts";
import { readConstantArgs } from "../chain/references.ts";
import { type ChainStep, describeMisplacedStep } from "../chain/steps.ts";
import { type ErrorObject, ToolError, toolErrorFrom } from "../contract/errors.ts";
import { isObject, type JsonObject, showValue } from "../contract/json.ts";
import type { Viewer } from "../run/access.ts";
import type { ToolProgress } from "../run/backend.ts";
import { runPatiently } from "../run/patience.ts";
import { type FindTool, findInTime } from "../run/resolveTool.ts";
import type { ToolRunner } from "../run/runner.ts";
import { findToolset, slugName, type Toolset } from "./toolset.ts";

export type SkillStep = { readonly id: string; readonly tool_id: string; readonly inputs?: JsonObject };

/** A chain with a name: steps in order, whose inputs may refer to earlier steps by id or number. */
export type Skill = {
	readonly name: string;
	readonly description?: string;
	readonly steps: readonly SkillStep[];
	readonly toolset_id?: string;
};

export type SkillLimits = { readonly maxSteps: number; readonly maxToolCalls: number; readonly timeoutMs: number };
export type SkillStepResult = { readonly step_id: string; readonly value?: unknown; readonly error?: ErrorObject };
export type SkillResult = {
	readonly results: readonly SkillStepResult[];
	readonly error?: ErrorObject;
	readonly durationMs: number;
};

export function createSkillId(name: string): string {
	return `skill:${slugName(name)}`;
}

/** Reads a skill from configuration or from a caller; throws saying which field is wrong. */
export function parseSkill(value: unknown, fallbackName: string): Skill {
	if (!isObject(value)) throw problem("skill", "an object", value);
	const { name = fallbackName, description, steps, toolset_id: toolset } = value;
	if (typeof name !== "string" || name === "") throw problem("skill/name", "a name", name);
	if (!Array.isArray(steps) || steps.length === 0) throw problem("skill/steps", "at least one step", steps);
	const parsed = steps.map(parseStep);
	const misplaced = describeMisplacedStep(parsed.map(chainStepOf), "inputs");
	if (misplaced !== undefined) throw problem(["skill", ...misplaced.at].join("/"), misplaced.expected, misplaced.got);
	return {
		name,
		...(typeof description === "string" && { description }),
		steps: parsed,
		...(typeof toolset === "string" && { toolset_id: toolset }),
	};
}

function parseStep(value: unknown, index: number): SkillStep {
	const at = `skill/steps/${index}`;
	if (!isObject(value)) throw problem(at, "an object", value);
	const { id = `step${index + 1}`, tool_id: tool, inputs } = value;
	if (typeof id !== "string") throw problem(`${at}/id`, "a text", id);
	if (typeof tool !== "string") throw problem(`${at}/tool_id`, "a tool id", tool);
	if (inputs !== undefined && !isObject(inputs)) throw problem(`${at}/inputs`, "an object", inputs);
	return { id, tool_id: tool, ...(inputs !== undefined && { inputs }) };
}

function chainStepOf({ id, tool_id, inputs }: SkillStep): ChainStep {
	return { id, tool_id, ...(inputs !== undefined && { args: inputs }) };
}

export type SkillSurroundings = {
	readonly findTool: FindTool;
	readonly toolsets: readonly Toolset[];
	readonly viewer: Viewer;
};

/** The skill with every tool resolved; throws when a step's tool is missing or outside the skill's toolset, or a check fails. */
export async function planSkill(
	skill: Skill,
	timeoutMs: number,
	{ findTool, toolsets, viewer, signal }: SkillSurroundings & { readonly signal: AbortSignal },
	check?: ToolRunner["check"],
): Promise<{ name: string; steps: SkillStep[] }> {
	const toolset = skill.toolset_id === undefined ? undefined : findToolset(toolsets, skill.toolset_id);
	if (skill.toolset_id !== undefined && toolset === undefined)
		throw problem("skill/toolset_id", "a known toolset", skill.toolset_id);
	const planned = async (step: SkillStep, index: number): Promise<SkillStep> => {
		const tool = await findInTime(findTool, { toolId: step.tool_id, viewer, signal }, timeoutMs);
		if (toolset !== undefined && !toolset.holds(tool))
			throw problem(`skill/steps/${index}/tool_id`, `a tool of ${toolset.id}`, tool.id);
		const args = readConstantArgs(step.inputs);
		await check?.({ toolId: tool.id, ...(args !== undefined && { args }), viewer, signal, timeoutMs });
		return { ...step, tool_id: tool.id };
	};
	const steps = skill.steps.map((step, index) =>
		planned(step, index).catch((thrown) => {
			throw toolErrorFrom(thrown, { step_index: index });
		}),
	);
	return { name: skill.name, steps: await Promise.all(steps) };
}

export async function runSkill(
	skill: Skill,
	limits: SkillLimits,
	run: SkillSurroundings & {
		readonly runner: ToolRunner;
		readonly signal: AbortSignal;
		readonly onProgress?: (update: ToolProgress) => void;
	},
): Promise<SkillResult> {
	const started = performance.now();
	if (skill.steps.length > limits.maxSteps)
		throw problem("skill/steps", `at most ${limits.maxSteps}`, skill.steps.length);
	const plan = await planSkill(skill, limits.timeoutMs, run);
	let calls = 0;
	const onCall = () => {
		calls++;
		if (calls > limits.maxToolCalls) throw problem("max_tool_calls", `at most ${limits.maxToolCalls} calls`, calls);
	};
	const steps = plan.steps.map(chainStepOf);
	const leftMs = Math.max(1, limits.timeoutMs - (performance.now() - started));
	const chain = await runPatiently(leftMs, run.signal, (signal) =>
		runChain(steps, {
			runner: run.runner,
			viewer: run.viewer,
			signal,
			onCall,
			...(run.onProgress !== undefined && { onProgress: run.onProgress }),
		}),
	);
	const results = chain.results.map(({ structured, error }, index): SkillStepResult => {
		const step_id = plan.steps[index]?.id ?? String(index);
		return error === undefined ? { step_id, value: structured } : { step_id, error };
	});
	return {
		results,
		...(chain.error !== undefined && { error: chain.error }),
		durationMs: Math.round(performance.now() - started),
	};
}

function problem(field: string, expected: string, got: unknown): ToolError {
	return new ToolError("validation_input", `${field}: expected ${expected}, got ${showValue(got)}`, {
		op: "validate_input",
		details: { field },
	});
}
