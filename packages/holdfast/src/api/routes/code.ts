import { isObject, type JsonObject, LOCAL_VIEWER } from "metatools";
import type { FileText, IndexStatus, SearchPayload } from "pairofcleats";
import type { Answers, IndexJobState } from "../answers.ts";
import { ApiError, unwrapCodeError } from "../apiError.ts";
import { type ApiCall, describeBody, describeList, describeObject, type Endpoint, OBJECT, TEXT } from "../endpoint.ts";
import { CODE_SERVER } from "../indexJob.ts";

const LINE = { type: "integer", minimum: 1 } as const;
const JOB = describeObject<IndexJobState>(
	{
		state: { enum: ["running", "done", "failed"] },
		progress: { type: "number" },
		total: { type: "number" },
		message: TEXT,
		error: OBJECT,
	},
	["state"],
);

export const codeEndpoints: readonly Endpoint[] = [
	{
		method: "POST",
		path: "/api/search",
		id: "searchCode",
		summary: "Search the repository; takes the arguments of the search tool, and always explains the score",
		body: { ...describeObject({ query: TEXT }), additionalProperties: true },
		answer: describeObject({ hits: describeList(OBJECT), totals: OBJECT }, ["hits"]),
		handle: async (call) => searchOf(await runCodeTool(call, "search", { explain: true, ...call.body })),
	},
	{
		method: "GET",
		path: "/api/file",
		id: "showFile",
		summary: "An indexed file, or lines of it",
		query: { path: TEXT, startLine: LINE, endLine: LINE },
		answer: describeObject<Answers["showFile"]>({ file: OBJECT }),
		async handle(call) {
			const { file } = await runCodeTool(call, "show_file", call.query);
			return { file };
		},
	},
	{
		method: "GET",
		path: "/api/index",
		id: "getIndex",
		summary: "The index of the repository, and the rebuild that runs or ran last",
		answer: describeObject<Answers["getIndex"]>({ status: OBJECT, job: JOB }, ["status"]),
		async handle(call) {
			const { status } = await runCodeTool(call, "index_status", {});
			return { status, ...(call.indexJob.state !== undefined && { job: call.indexJob.state }) };
		},
	},
	{
		method: "POST",
		path: "/api/index/rebuild",
		id: "rebuildIndex",
		summary: "Begin to rebuild the index; progress is told by events and by getIndex",
		body: describeBody({ full: { type: "boolean" } }, []),
		status: 202,
		answer: describeObject<Answers["rebuildIndex"]>({ job: JOB }),
		handle: ({ indexJob, body: { full } }) => ({ job: indexJob.start(full === true) }),
	},
];

/** What the code server's tools answer, in the types of its package. */
type CodeResults = {
	readonly search: { readonly search: SearchPayload };
	readonly show_file: { readonly file: FileText };
	readonly index_status: { readonly status: IndexStatus };
};

/** Runs one of the code server's tools and unwraps its result. */
async function runCodeTool<Tool extends keyof CodeResults>(
	{ gateway, recorder, signal }: ApiCall,
	tool: Tool,
	args: JsonObject,
): Promise<CodeResults[Tool]> {
	const toolId = `${CODE_SERVER}:${tool}`;
	if (gateway.catalog.get(toolId) === undefined)
		throw new ApiError("unavailable", "code search is not connected; it comes with holdfast up unless --bare is given");
	const { structured } = await gateway.runner
		.run(recorder.unrecorded({ toolId, args, viewer: gateway.confine(LOCAL_VIEWER), signal }))
		.catch((thrown: unknown) => {
			throw unwrapCodeError(thrown);
		});
	const result = isObject(structured) ? structured.result : undefined;
	if (!isObject(result)) throw new ApiError("internal", `${toolId} answered without a result`);
	return result as CodeResults[Tool];
}

function searchOf({ search }: CodeResults["search"]): SearchPayload {
	if (!isObject(search)) throw new ApiError("internal", "the search answered without hits");
	return search;
}
