import {
	type CatalogTool,
	type ChainStep,
	type CodeResult,
	checkOf,
	type Gateway,
	isObject,
	type JsonObject,
	LOCAL_VIEWER,
	problemText,
	runChain,
	stepProblems,
	toolDeclarations,
	type Viewer,
} from "metatools";
import type { Answers, Tool } from "../answers.ts";
import { ApiError } from "../apiError.ts";
import {
	type ApiCall,
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

const TOOL = describeObject<Tool>(
	{
		id: TEXT,
		name: TEXT,
		declaredName: DECLARED_NAMES.declaredName,
		namespace: TEXT,
		server: DECLARED_NAMES.server,
		title: TEXT,
		description: TEXT,
		quarantined: { type: "boolean" },
		destructive: { type: "boolean" },
	},
	["id", "name", "namespace", "description", "quarantined"],
);
const TIMEOUT = { type: "integer", minimum: 1, maximum: 3_600_000 } as const;
const PAGE = 200;
/** Types are declared for this many tools unless the caller gives a limit. */
const DECLARED = 100;

export const toolEndpoints: readonly Endpoint[] = [
	{
		method: "GET",
		path: "/api/tools",
		id: "listTools",
		summary: "The catalogue, page by page; with a query, the gateway's own search, best first",
		query: {
			q: TEXT,
			namespace: TEXT,
			id: { ...TEXT, description: "Only tools whose id has this in it" },
			offset: COUNT,
			limit: { type: "integer", minimum: 1, maximum: 1_000, default: PAGE },
		},
		answer: describeObject<Answers["listTools"]>({ tools: describeList(TOOL), total: COUNT, strategy: TEXT }),
		async handle({ gateway, query }) {
			const { id, offset, limit } = query;
			const found = (await fitting(gateway, query)).filter(
				(tool) =>
					(typeof id !== "string" || tool.id.includes(id)) && gateway.verdict(tool, viewer(gateway)).kind !== "hide",
			);
			const first = typeof offset === "number" ? offset : 0;
			return {
				tools: found.slice(first, first + (typeof limit === "number" ? limit : PAGE)).map((tool) => ({
					...toolOf(gateway, tool),
					description: tool.shortDescription,
				})),
				total: found.length,
				strategy: gateway.search.strategy,
			};
		},
	},
	{
		method: "GET",
		path: "/api/tools/{id}",
		id: "describeTool",
		summary: "One tool: its schemas, examples and types for code",
		answer: describeObject<Answers["describeTool"]>(
			{ tool: TOOL, definition: OBJECT, examples: describeList(OBJECT), notes: TEXT, declaration: TEXT },
			["tool", "definition", "declaration"],
		),
		handle(call) {
			const tool = toolNamed(call);
			const { docs, definition } = tool;
			return {
				tool: toolOf(call.gateway, tool),
				definition,
				examples: docs.examples,
				...(docs.notes !== undefined && { notes: docs.notes }),
				declaration: toolDeclarations([tool]),
			};
		},
	},
	{
		method: "POST",
		path: "/api/tools/{id}/run",
		id: "runTool",
		summary: "Run a tool, as run_tool does",
		body: describeBody({ args: OBJECT, timeout_ms: TIMEOUT }, []),
		answer: describeObject<Answers["runTool"]>({ structured: {}, content: describeList(OBJECT), durationMs: COUNT }, [
			"durationMs",
		]),
		async handle(call) {
			const {
				gateway,
				signal,
				body: { args, timeout_ms: timeoutMs },
			} = call;
			const result = await gateway.runner.run({
				toolId: toolNamed(call).id,
				args: isObject(args) ? args : {},
				viewer: viewer(gateway),
				signal,
				...(typeof timeoutMs === "number" && { timeoutMs }),
			});
			const content = result.mcpResult?.content;
			return {
				structured: result.structured ?? null,
				...(Array.isArray(content) && { content }),
				durationMs: result.durationMs,
			};
		},
	},
	{
		method: "POST",
		path: "/api/chain",
		id: "runChain",
		summary: "Run tools in a row, as run_chain does; a failed step is told beside what succeeded",
		body: describeBody({
			steps: {
				...describeList(describeObject({ tool_id: TEXT, args: OBJECT }, ["tool_id"])),
				minItems: 1,
				maxItems: 100,
			},
		}),
		answer: describeObject<Answers["runChain"]>({ results: describeList(OBJECT), final: {}, error: OBJECT }, [
			"results",
		]),
		async handle({ gateway, signal, body: { steps } }) {
			const most = gateway.settings.maxChainSteps;
			if (Array.isArray(steps) && steps.length > most)
				throw new ApiError("invalid_request", `body/steps: expected at most ${most}, got ${steps.length}`);
			const problems = stepProblems(steps).map((problem) => problemText(problem, "body"));
			if (problems.length > 0) throw new ApiError("invalid_request", problems.join("; "));
			const chain = await runChain(steps as readonly ChainStep[], {
				runner: gateway.runner,
				viewer: viewer(gateway),
				signal,
			});
			return { ...chain, results: chain.results.map(({ tool: _, ...result }) => result) };
		},
	},
	{
		method: "POST",
		path: "/api/code",
		id: "executeCode",
		summary: "Run code in the sandbox, as execute_code does; what the code throws is part of the answer",
		body: describeBody(
			{ code: TEXT, language: { enum: ["javascript", "typescript"] }, timeout_ms: { ...TIMEOUT, maximum: 60_000 } },
			["code"],
		),
		answer: describeObject(
			{
				value: {},
				stdout: TEXT,
				stderr: TEXT,
				durationMs: { type: "number" },
				toolCalls: describeList(OBJECT),
				error: OBJECT,
			},
			["value", "durationMs"],
		),
		async handle({ gateway, signal, body: given }) {
			const metatool = gateway.metatools.find(({ name }) => name === "execute_code");
			if (metatool === undefined)
				throw new ApiError("unavailable", "execute_code is switched off in the gateway's configuration");
			const args: JsonObject = { language: "typescript", ...given };
			const problems = checkOf(metatool.inputSchema)(args).map((problem) => problemText(problem, "body"));
			if (problems.length > 0) throw new ApiError("invalid_request", problems.join("; "));
			const { data, extra } = await metatool.handle(args, { viewer: viewer(gateway), signal });
			return { ...data, ...extra } as CodeResult;
		},
	},
	{
		method: "GET",
		path: "/api/code/types",
		id: "codeTypes",
		summary: "TypeScript declarations of tools, for code that calls them: the first, or those a query finds",
		query: { q: TEXT, namespace: TEXT, limit: { type: "integer", minimum: 1, maximum: 1_000, default: DECLARED } },
		answer: describeObject<Answers["codeTypes"]>({
			declarations: TEXT,
			declared: COUNT,
			total: COUNT,
			namespaces: describeList(TEXT),
		}),
		async handle({ gateway, query }) {
			const mayRun = (tool: CatalogTool) => gateway.verdict(tool, viewer(gateway)).kind === "allow";
			const found = (await fitting(gateway, query)).filter(mayRun);
			const declared = found.slice(0, typeof query.limit === "number" ? query.limit : DECLARED);
			return {
				declarations: toolDeclarations(declared),
				declared: declared.length,
				total: found.length,
				namespaces: [...new Set(gateway.catalog.tools.filter(mayRun).map(({ namespace }) => namespace))],
			};
		},
	},
];

function viewer(gateway: Gateway): Viewer {
	return gateway.confine(LOCAL_VIEWER);
}

/** The tools that match a query, best first; without a query all tools, by id. */
async function fitting(gateway: Gateway, { q, namespace }: JsonObject): Promise<readonly CatalogTool[]> {
	const words = typeof q === "string" ? q.trim() : "";
	const found = words === "" ? gateway.catalog.tools : await gateway.search.find([words]);
	return typeof namespace !== "string" || namespace === ""
		? found
		: found.filter((tool) => tool.namespace === namespace);
}

function toolNamed({ gateway, path: { id = "" } }: ApiCall): CatalogTool {
	const tool = gateway.catalog.get(id);
	if (tool === undefined || gateway.verdict(tool, viewer(gateway)).kind === "hide")
		throw new ApiError("not_found", `no tool has the id ${JSON.stringify(id)}`);
	return tool;
}

function toolOf(gateway: Gateway, tool: CatalogTool): Tool {
	const { id, name, namespace, definition } = tool;
	const { title, description, annotations } = definition;
	return {
		id,
		name,
		namespace,
		...describeDeclaredNames(tool),
		...(typeof title === "string" && { title }),
		description: typeof description === "string" ? description : "",
		quarantined: gateway.verdict(tool, viewer(gateway)).kind === "refuse",
		...(isObject(annotations) && annotations.destructiveHint === true && { destructive: true }),
	};
}
