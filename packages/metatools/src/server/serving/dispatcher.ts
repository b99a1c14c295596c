import { type Dispatcher, EFFECT_META_KEY, type ReplayContract, RPC_CODES, type RpcContext, RpcError } from "libmcp";
import { assertFirstPage } from "../../catalog/cursor.ts";
import { ToolError, toolErrorFrom } from "../../contract/errors.ts";
import { isObject, type JsonObject, showValue } from "../../contract/json.ts";
import { LOCAL_VIEWER, type Viewer } from "../../run/access.ts";
import { composeAnswer, composeErrorAnswer, MOST_CHARS, type Presentation } from "../answers/answer.ts";
import type { Gateway } from "../gateway.ts";
import type { Metatool } from "../metatool.ts";
import { readArguments } from "../metatools/arguments.ts";
import { type Asking, AskingRounds, createRunProgress } from "./askingRounds.ts";

export type DispatcherOptions = {
	/** Identifies the caller, for transports that authenticate. Default: everyone is the local user. */
	readonly viewerOf?: (context: RpcContext) => Viewer;
};

/** The gateway as an MCP server: one function for every method, whatever the transport. */
export function createDispatcher(
	gateway: Gateway,
	{ viewerOf = () => LOCAL_VIEWER }: DispatcherOptions = {},
): Dispatcher {
	const rounds = new AskingRounds();
	return async (method, params, context) => {
		switch (method) {
			case "ping":
				return {};
			case "tools/list":
				assertFirstPage(isObject(params) ? params.cursor : undefined);
				return { tools: listMetatools(gateway) };
			case "tools/call":
				return rounds.call(params, context, (asking) => {
					const session = context.session?.id;
					const viewer = { ...gateway.confine(viewerOf(context)), ...(session !== undefined && { session }) };
					return callMetatool(gateway, params, viewer, asking);
				});
			default:
				throw new RpcError(RPC_CODES.methodNotFound, `Unknown method: ${method}`, { code: "METHOD_NOT_FOUND" });
		}
	};
}

// The metatools an agent needs to find, understand and run anything; the others can still be called by name.
const COMPACT: ReadonlySet<string> = new Set([
	"search_tools",
	"describe_tool",
	"run_tool",
	"run_chain",
	"read_result",
	"execute_code",
]);

/** The tools that tools/list shows, which may be fewer than can be called. */
export function listMetatools({ metatools, settings }: Gateway): readonly JsonObject[] {
	if (settings.surface === "full") return metatools.map(declareMetatool);
	return metatools
		.filter(({ name }) => COMPACT.has(name))
		.map((metatool) => {
			const { outputSchema: _, ...rest } = declareMetatool(metatool);
			return rest;
		});
}

/** A metatool as tools/list shows it. */
export function declareMetatool({
	name,
	title,
	description,
	inputSchema,
	outputSchema,
	recovery,
}: Metatool): JsonObject {
	return {
		name,
		title,
		description,
		inputSchema,
		outputSchema,
		annotations:
			recovery === "replay_safe"
				? { readOnlyHint: true, openWorldHint: false }
				: { readOnlyHint: false, openWorldHint: true },
		_meta: { [EFFECT_META_KEY]: { recovery: { kind: recovery } } },
	};
}

/** Throws for any other name, with how to run the tool of a server that it may mean. */
function findMetatool(gateway: Gateway, name: unknown, viewer: Viewer): Metatool {
	const metatool = gateway.metatools.find((known) => known.name === name);
	if (metatool !== undefined) return metatool;
	const known = gateway.metatools.map((one) => one.name).join(", ");
	const [meant] = typeof name === "string" ? gateway.catalog.resolve(name) : [];
	const isMeant = meant !== undefined && gateway.verdict(meant, viewer).kind !== "hide";
	const hint = isMeant ? `; run_tool runs it: {"tool_id":"${meant.id}","args":{…}}` : "";
	throw new RpcError(RPC_CODES.invalidParams, `name: expected one of ${known}, got ${showValue(name)}${hint}`, {
		code: "UNKNOWN_TOOL",
	});
}

async function callMetatool(
	gateway: Gateway,
	params: unknown,
	viewer: Viewer,
	{ signal, latest, ask, caller }: Asking,
): Promise<JsonObject> {
	const { name, arguments: raw } = isObject(params) ? params : {};
	const metatool = findMetatool(gateway, name, viewer);
	const args = readArguments(metatool.inputSchema, raw);
	const presentation: Presentation = {
		render: args.render === "json" ? "json" : "porcelain",
		maxChars: Math.min(typeof args.max_chars === "number" ? args.max_chars : gateway.settings.maxChars, MOST_CHARS),
		// Without output schemas nobody expects data, and clients that pass it to the model would pay twice.
		withData: !gateway.isTextOnly,
	};
	const given = (result: JsonObject): JsonObject => {
		const { structuredContent: _, ...text } = result;
		return presentation.withData ? result : text;
	};
	const { context } = latest();
	const dispatching = context.dispatching && ((contract: ReplayContract) => context.dispatching?.(contract));
	if (metatool.recovery === "at_most_once" && metatool.tellsDispatch !== true) await dispatching?.("never_replay");
	const progress = createRunProgress(latest);
	const counted = gateway.ledger.began(metatool.name);
	try {
		const output = await metatool.handle(args, {
			viewer,
			signal,
			...(progress !== undefined && { progress }),
			...(ask !== undefined && { ask }),
			...(caller !== undefined && { caller }),
			...(dispatching !== undefined && { dispatching }),
		});
		const outcome = output.isError === true ? ({ kind: "error", code: undefined } as const) : ({ kind: "ok" } as const);
		gateway.ledger.ended(counted, signal.aborted ? { kind: "cancelled" } : outcome);
		return given(composeAnswer(output, presentation, gateway.results, viewer));
	} catch (thrown) {
		const code = thrown instanceof RpcError ? thrown.code : undefined;
		gateway.ledger.ended(counted, signal.aborted ? { kind: "cancelled" } : { kind: "error", code });
		if (thrown instanceof RpcError) throw thrown;
		const error = toolErrorFrom(thrown);
		if (!(thrown instanceof ToolError))
			gateway.log(`${metatool.name}: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
		return given(composeErrorAnswer(error, presentation, gateway.results, viewer));
	}
}
