import { suggestion } from "libmcp/command";
import {
	type Dispatcher,
	looseRequestId,
	type ProgressUpdate,
	RPC_CODES,
	type RpcContext,
	RpcError,
	WrittenResult,
} from "libmcp/serve";
import { type Envelope, givenRequestId, requestIdOfRpc } from "../contract/envelope.ts";
import { CleatsError, ERROR_TABLE, toCleatsError } from "../contract/errors.ts";
import { isToolName, TOOL_NAMES, type ToolName } from "../registry/registry.ts";
import { writeEnvelope } from "../searching/writtenSearch.ts";
import { listTools } from "../tools/definitions.ts";
import type { ToolRunner } from "../tools/toolRunner.ts";
import type { ProgressReport } from "../workspace/toolCall.ts";

/** Answers the MCP methods of this server. `prepare` runs before each valid tool call. */
export function makeToolDispatcher(runner: ToolRunner, prepare: (context: RpcContext) => Promise<void>): Dispatcher {
	let list: { readonly tools: ReturnType<typeof listTools> } | undefined;
	return async (method, params, context) => {
		switch (method) {
			case "tools/list":
				if ((memberOf(params, "cursor") ?? undefined) !== undefined) {
					throw rpcError(new CleatsError("INVALID_REQUEST", "cursor: the whole list is one page, there is no other"));
				}
				list ??= { tools: listTools() };
				return list;
			case "tools/call":
				return callTool(runner, params, context, prepare);
			default: {
				const message = `Method not found: ${method.slice(0, 128)}`;
				throw new RpcError(RPC_CODES.methodNotFound, message, { code: "INVALID_REQUEST", message });
			}
		}
	};
}

/** Loaded with the first call, so that the handshake does not wait for it. */
let validation: Promise<typeof import("../tools/validateArguments.ts")> | undefined;

async function callTool(
	runner: ToolRunner,
	params: unknown,
	context: RpcContext,
	prepare: (context: RpcContext) => Promise<void>,
): Promise<WrittenResult> {
	try {
		const name = toolNamed(params);
		validation ??= import("../tools/validateArguments.ts");
		const { validateArguments } = await validation;
		const args = validateArguments(name, memberOf(params, "arguments"));
		await prepare(context);
		const steps = new ProgressSteps(name);
		const envelope = await runner.run(name, args, {
			requestId: requestIdOf(params, context),
			signal: context.signal,
			written: true,
			onProgress: (report) => context.progress(steps.next(report)),
		});
		return await callResult(envelope, name, args.render === "porcelain");
	} catch (thrown) {
		throw rpcError(thrown);
	}
}

function toolNamed(params: unknown): ToolName {
	const name = memberOf(params, "name");
	if (isToolName(name)) return name;
	if (typeof name === "string") {
		const asked = name.slice(0, 64);
		throw new CleatsError("UNKNOWN_TOOL", `no tool is called ${JSON.stringify(asked)}${suggestion(asked, TOOL_NAMES)}`);
	}
	const violation = {
		instancePath: "/name",
		keyword: name === undefined ? "required" : "type",
		message: "must be string",
	};
	throw new CleatsError("INVALID_REQUEST", "name: expected the name of a tool", { violations: [violation] });
}

/** The caller's own correlation id if it sent one, else the JSON-RPC request id. */
function requestIdOf(params: unknown, { id }: RpcContext): string {
	const given = givenRequestId(memberOf(memberOf(params, "_meta"), "pairofcleats/requestId"));
	return given ?? requestIdOfRpc(looseRequestId(id));
}

async function callResult(envelope: Envelope, name: ToolName, porcelain: boolean): Promise<WrittenResult> {
	const { text, asString } = writeEnvelope(envelope);
	const shown = porcelain
		? JSON.stringify((await import("./renderResult.ts")).renderEnvelope(envelope, name))
		: asString;
	return new WrittenResult(
		`"content":[{"type":"text","text":${shown}}],"structuredContent":${text},"isError":${!envelope.ok}`,
	);
}

/** Converts an error to a JSON-RPC error; for schema errors, the details are the violations. */
function rpcError(thrown: unknown): RpcError {
	const { code, message, details } = toCleatsError(thrown);
	const particulars = "violations" in details ? details.violations : details;
	const empty = Object.keys(details).length === 0;
	return new RpcError(ERROR_TABLE[code].rpc, message, { code, message, ...(!empty && { details: particulars }) });
}

function memberOf(value: unknown, name: string): unknown {
	return typeof value === "object" && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

/** Maps phases that each count from zero to one steadily increasing number. */
class ProgressSteps {
	readonly #tool: string;
	#phase = "";
	#base = 0;
	#highest = 0;

	constructor(tool: string) {
		this.#tool = tool;
	}

	next({ phase, message, done = 0, total = 0 }: ProgressReport): ProgressUpdate {
		if (phase !== this.#phase) {
			this.#phase = phase;
			this.#base = this.#highest + 1;
		}
		const progress = this.#base + Math.max(0, done);
		this.#highest = Math.max(this.#highest, progress);
		return {
			progress,
			...(total > 0 && { total: Math.max(this.#base + total, progress) }),
			message: `[${this.#tool}][phase=${phase}] ${message}`,
		};
	}
}
