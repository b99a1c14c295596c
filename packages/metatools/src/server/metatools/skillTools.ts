import { countText } from "libmcp";
import { parseToolId } from "../../catalog/toolId.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Viewer } from "../../run/access.ts";
import { shortenErrorOf } from "../../run/toolResult.ts";
import {
	createSkillId,
	parseSkill,
	planSkill,
	runSkill,
	type Skill,
	type SkillResult,
	type SkillStep,
} from "../../toolsets/skill.ts";
import { BesideValues } from "../answers/besideValues.ts";
import { splitBlocks } from "../answers/blocks.ts";
import { describeEnding, renderErrorLine, renderTable, renderValue } from "../answers/porcelain.ts";
import type { GatewayParts } from "../gatewayParts.ts";
import { createUnknownIdError, type Metatool, type Output } from "../metatool.ts";
import { createArgumentError } from "./arguments.ts";
import {
	ANYTHING,
	COUNT,
	createInputSchema,
	createListSchema,
	createObjectSchema,
	createOutputSchema,
	ERROR_OBJECT,
	OBJECT,
	SKILL_STEP,
	TEXT,
} from "./schemas.ts";

type Parts = Pick<
	GatewayParts,
	"admits" | "catalog" | "modelRunner" | "settings" | "skills" | "surroundings" | "verdict"
>;

const LEAST_ONE = { type: "integer", minimum: 1 } as const;
const SKILL_CHOICE = { skill_id: TEXT, skill: OBJECT };

export function createSkillTools(gateway: Parts): readonly Metatool[] {
	return [listSkills(gateway), describeSkill(gateway), planSkillTool(gateway), runSkillTool(gateway)];
}

function listSkills(gateway: Parts): Metatool {
	return {
		name: "list_skills",
		title: "List skills",
		description: "List the prepared chains of tools.",
		inputSchema: createInputSchema({}),
		outputSchema: createOutputSchema(
			{
				skills: createListSchema(
					createObjectSchema({ id: TEXT, name: TEXT, description: TEXT, stepCount: COUNT, toolset_id: TEXT }, [
						"id",
						"name",
						"stepCount",
					]),
				),
			},
			["skills"],
		),
		recovery: "replay_safe",
		async handle(_args, { viewer }) {
			const skills = visibleSkills(gateway, viewer).map(({ name, description, steps, toolset_id }) => ({
				id: createSkillId(name),
				name,
				...(description !== undefined && { description }),
				stepCount: steps.length,
				...(toolset_id !== undefined && { toolset_id }),
			}));
			return {
				data: { skills },
				text: renderTable(
					countText(skills.length, "skill"),
					["skill", "steps", "description"],
					skills.map((skill) => [skill.id, skill.stepCount, skill.description ?? ""]),
				),
			};
		},
	};
}

function describeSkill(gateway: Parts): Metatool {
	return {
		name: "describe_skill",
		title: "Describe a skill",
		description: "Show the steps of one skill.",
		inputSchema: createInputSchema({ skill_id: TEXT }, ["skill_id"]),
		outputSchema: createOutputSchema(
			{
				skill: createObjectSchema(
					{ name: TEXT, description: TEXT, steps: createListSchema(SKILL_STEP), toolset_id: TEXT },
					["name", "steps"],
				),
			},
			["skill"],
		),
		recovery: "replay_safe",
		async handle(args, { viewer }) {
			const skill = skillOf(gateway, { skill_id: args.skill_id }, viewer);
			return { data: { skill }, text: stepLines(createSkillId(skill.name), skill.steps) };
		},
	};
}

function planSkillTool(gateway: Parts): Metatool {
	return {
		name: "plan_skill",
		title: "Plan a skill",
		description: "Check a skill (by id, or {name, steps: [{id, tool_id, inputs}]}) without running it.",
		inputSchema: createInputSchema(SKILL_CHOICE),
		outputSchema: createOutputSchema(
			{ plan: createObjectSchema({ name: TEXT, steps: createListSchema(SKILL_STEP) }) },
			["plan"],
		),
		recovery: "replay_safe",
		async handle(args, { viewer, signal }) {
			const around = { ...gateway.surroundings(viewer), signal };
			const { modelRunner, settings } = gateway;
			const plan = await planSkill(skillOf(gateway, args, viewer), settings.skillTimeout, around, modelRunner.check);
			return { data: { plan }, text: stepLines(plan.name, plan.steps) };
		},
	};
}

function runSkillTool(gateway: Parts): Metatool {
	return {
		name: "run_skill",
		title: "Run a skill",
		description: "Run a skill, stopping at the first error.",
		inputSchema: createInputSchema({
			...SKILL_CHOICE,
			max_steps: LEAST_ONE,
			max_tool_calls: LEAST_ONE,
			timeout_ms: LEAST_ONE,
		}),
		outputSchema: createOutputSchema(
			{
				results: createListSchema(
					createObjectSchema({ step_id: TEXT, value: ANYTHING, error: ERROR_OBJECT }, ["step_id"]),
				),
				durationMs: COUNT,
			},
			["results", "durationMs"],
		),
		recovery: "at_most_once",
		async handle(args, { viewer, signal, progress }) {
			const skill = skillOf(gateway, args, viewer);
			const limit = (value: unknown, standard: number) =>
				typeof value === "number" ? Math.min(value, standard) : standard;
			const { skillMaxSteps, skillMaxToolCalls, skillTimeout } = gateway.settings;
			progress?.start(skill.steps.length);
			const beside = new BesideValues();
			const result = await runSkill(
				skill,
				{
					maxSteps: limit(args.max_steps, skillMaxSteps),
					maxToolCalls: limit(args.max_tool_calls, skillMaxToolCalls),
					timeoutMs: limit(args.timeout_ms, skillTimeout),
				},
				{
					...gateway.surroundings(viewer),
					runner: beside.over(gateway.modelRunner),
					signal,
					...(progress !== undefined && { onProgress: progress.forward }),
				},
			);
			progress?.end(result.error === undefined ? "completed" : "error");
			return outputOf(result, beside);
		},
	};
}

function outputOf({ results: ran, error, durationMs }: SkillResult, beside: BesideValues): Output {
	const { value, media: held } = splitBlocks(ran);
	const results = value as typeof ran;
	const data = { results, ...(error !== undefined && { error }), durationMs };
	const lines = results.map(
		(step) => `${step.step_id}: ${step.error === undefined ? renderValue(step.value) : renderErrorLine(step.error)}`,
	);
	if (error !== undefined && results.length === 0) lines.push(renderErrorLine(error));
	const full = lines.join("\n");
	const media = [...held, ...beside.media];
	const ending = describeEnding(lines);
	return {
		data,
		isError: error !== undefined,
		text: beside.after(full),
		...(media.length > 0 && { media }),
		bulk: {
			full,
			beside: beside.text,
			...(ending !== undefined && { ending }),
			shrink: () => shortenErrorOf({ ...data, results: results.map(({ value: _, ...step }) => shortenErrorOf(step)) }),
		},
	};
}

function skillOf(gateway: Parts, args: JsonObject, viewer: Viewer): Skill {
	if ((args.skill_id === undefined) === (args.skill === undefined))
		throw createArgumentError([
			{ kind: "other", at: ["skill_id"], says: "expected exactly one of skill_id and skill" },
		]);
	if (args.skill !== undefined) return parseSkill(args.skill, "unnamed");
	const id = String(args.skill_id);
	const known = visibleSkills(gateway, viewer);
	const skill = known.find(({ name }) => createSkillId(name) === id || name === id);
	if (skill === undefined)
		throw createUnknownIdError(
			"skill",
			id,
			known.map(({ name }) => createSkillId(name)),
		);
	return skill;
}

/** The skills of which no step names a tool that is hidden from a caller; that of a server that is gone hides none. */
function visibleSkills(gateway: Parts, viewer: Viewer): readonly Skill[] {
	const isHidden = ({ tool_id: id }: SkillStep): boolean => {
		const tools = gateway.catalog.resolve(id);
		if (tools.length > 0) return tools.every((tool) => gateway.verdict(tool, viewer).kind === "hide");
		return !gateway.admits(parseToolId(id)?.namespace ?? "", viewer, id);
	};
	return gateway.skills.filter(({ steps }) => !steps.some(isHidden));
}

function stepLines(
	heading: string,
	steps: readonly { readonly id: string; readonly tool_id: string; readonly inputs?: JsonObject }[],
): string {
	return renderTable(
		heading,
		["step", "tool", "inputs"],
		steps.map((step) => [step.id, step.tool_id, step.inputs === undefined ? "" : JSON.stringify(step.inputs)]),
	);
}
