import { Client, type Progress, type StandardSchemaV1, type Tool, type Transport } from "@modelcontextprotocol/client";
import { type Host, META, MODERN_REVISION } from "libmcp";
import { paramHeaderProblem } from "libmcp/http";
import type { ToolDefinition } from "../../catalog/tool.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ToolProgress } from "../../run/backend.ts";
import { createPatientSignal } from "../../run/patience.ts";
import { type AskingCall, CallsInFlight } from "../calls/callsInFlight.ts";
import { askForAnswer, callWithInput } from "../calls/questions.ts";
import { callAsTask, isTaskNeeded, type TaskCall, TaskProgress } from "../calls/taskCall.ts";
import { readFailure, UpstreamError } from "../failure/failure.ts";
import { listTools, type ToolList } from "../listTools.ts";
import { type OfferNews, WatchedResources } from "../offers.ts";
import { describeCause, toUpstreamError } from "../sdkFailure.ts";
import { createMasker } from "../secrets/maskSecrets.ts";
import type { ReachableSpec } from "../spec.ts";
import type { OpenedTransport, OpenTransport, TransportEvents } from "../transport.ts";
import { judgeAnswers } from "./checkAnswers.ts";
import { Handshake, keepListening } from "./handshake.ts";

export type CallOptions = AskingCall & {
	readonly signal: AbortSignal;
	/** Milliseconds since the epoch. */
	readonly deadline: number;
	readonly silenceMs?: number;
	readonly onProgress?: (update: ToolProgress) => void;
};

/** One live connection to a server. What the server says in errors comes without secrets. */
export type Connection = {
	readonly description: string;
	/** What the server says about the use of its tools. */
	readonly instructions: string | undefined;
	/** Resolves when the connection is over, however it ended, with the last reason known. */
	readonly closed: Promise<string>;
	list(): Promise<ToolList>;
	call(definition: ToolDefinition, args: JsonObject, options: CallOptions): Promise<unknown>;
	/** What the server says that it offers. */
	readonly capabilities: JsonObject;
	/** The answer to any other request, such as resources/read. */
	request(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown>;
	/** Asks the server to tell when one of these resources changes, and no other. */
	watch(uris: ReadonlySet<string>): void;
	close(): Promise<void>;
	/** The host in front of a stdio server. */
	host(): Host | undefined;
};

export type ConnectOptions = Pick<TransportEvents, "onStderr" | "onStray"> & {
	readonly open: OpenTransport;
	readonly onToolsChanged: () => void;
	/** Called with the reason when a question of the server was put to nobody. */
	readonly onUnasked?: (why: string) => void;
	/** Called with what the server tells of its prompts and resources. */
	readonly onNews?: (news: OfferNews) => void;
	readonly timeoutMs: number;
	/** Gives up connecting when aborted. */
	readonly signal: AbortSignal;
};

const HEARD = { autoRefresh: false, debounceMs: 0 } as const;
const CAN_BE_ASKED = { elicitation: { form: {} } };
// Callers have their own timeouts; the SDK's timer could fire before pending input is read.
const NO_TIMEOUT = { timeout: 2 ** 31 - 1 } as const;
// Results are validated by our own code, which keeps unknown members.
const AS_IS: StandardSchemaV1<unknown> = {
	"~standard": { version: 1, vendor: "metatools", validate: (value) => ({ value }) },
};

/** Connects and performs the handshake. This module imports the SDK, so it is loaded with the first server. */
export async function connect(spec: ReachableSpec, options: ConnectOptions): Promise<Connection> {
	const masker = createMasker(spec);
	const masked = (thrown: unknown): UpstreamError =>
		new UpstreamError(masker.failure(readFailure(thrown)), { cause: thrown });
	const rethrow = (thrown: unknown): never => {
		throw masked(toUpstreamError(thrown));
	};
	const client = newClient(spec, options);
	let reason = "the server closed the connection";
	const closed = Promise.withResolvers<string>();
	const over = new AbortController();
	client.onclose = () => {
		over.abort();
		closed.resolve(masker.text(reason));
	};
	client.onerror = (error) => {
		reason = describeCause(error);
	};
	const opening = options.open(spec, {
		onStderr: options.onStderr,
		...(options.onStray !== undefined && { onStray: options.onStray }),
		onFatal(error) {
			reason = error.message;
			void client.close().catch(() => {});
		},
	});
	const { transport, host, askedDuring, deepList } = await opening.catch((thrown: unknown) => {
		throw masked(thrown);
	});
	const calls = new CallsInFlight();
	if (spec.elicitation === true) answerQuestions(client, calls, askedDuring, options.onUnasked);
	await shakeHands(client, transport, options.signal).catch(rethrow);
	judgeAnswers(transport);
	const taskProgress = new TaskProgress(transport);
	// Some servers send the notification without having advertised it.
	client.setNotificationHandler("notifications/tools/list_changed", options.onToolsChanged);
	void keepListening(client, over.signal, () => {
		options.onToolsChanged();
		for (const kind of ["prompts", "resources"] as const) options.onNews?.({ kind });
	});
	hearNews(client, options.onNews);
	const watched = new WatchedResources(client);
	const readPage = (cursor: string | undefined): Promise<unknown> => {
		const ask = () => page(client, cursor, options.timeoutMs);
		return deepList === undefined ? ask() : deepList.read(ask);
	};
	const instructions = client.getInstructions();
	return {
		instructions: instructions === undefined ? undefined : masker.text(instructions),
		description: spec.description ?? instructions ?? client.getServerVersion()?.title ?? "",
		closed: closed.promise,
		list: async () => {
			const list = await listTools(readPage, headerProblem(client, spec)).catch(rethrow);
			return { ...list, problems: list.problems.map(masker.text) };
		},
		call: (definition, given, call) => {
			const args = { ...given };
			return calls
				.during(call, args, (onTask) => callTool({ client, taskProgress }, definition, args, call, onTask))
				.then(masker.result, rethrow);
		},
		capabilities: client.getServerCapabilities() ?? {},
		request: (method, params, signal) =>
			client.request({ method, params }, AS_IS, { ...NO_TIMEOUT, signal }).catch(rethrow),
		watch: (uris) => watched.watch(uris),
		close: () => client.close(),
		host: () => host?.(),
	};
}

function newClient(spec: ReachableSpec, { timeoutMs, onToolsChanged }: ConnectOptions): Client {
	return new Client(
		{ name: "metatools", version: "1.0.0" },
		{
			capabilities: spec.elicitation === true ? CAN_BE_ASKED : {},
			versionNegotiation: { mode: negotiation(spec), probe: { timeoutMs: probePatience(spec, timeoutMs) } },
			// Heard by handlers that are set once connected; named here so that the SDK subscribes to them.
			listChanged: {
				tools: { ...HEARD, onChanged: onToolsChanged },
				prompts: { ...HEARD, onChanged: () => {} },
				resources: { ...HEARD, onChanged: () => {} },
			},
		},
	);
}

function hearNews(client: Client, onNews: (news: OfferNews) => void = () => {}): void {
	client.setNotificationHandler("notifications/prompts/list_changed", () => onNews({ kind: "prompts" }));
	client.setNotificationHandler("notifications/resources/list_changed", () => onNews({ kind: "resources" }));
	client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
		onNews({ kind: "updated", uri: params.uri }),
	);
}

/** Puts the server's questions to the caller whose call they belong to. */
function answerQuestions(
	client: Client,
	calls: CallsInFlight,
	askedDuring: OpenedTransport["askedDuring"],
	onUnasked: ConnectOptions["onUnasked"],
): void {
	client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => {
		// The caller's client does not know about the task between us and the server.
		const { _meta: { [META.relatedTask]: task, ..._meta } = {}, ...asked } = params;
		const asker = calls.askerFor(askedDuring?.(mcpReq.id), task?.taskId);
		if ("nobody" in asker) {
			onUnasked?.(asker.nobody);
			return askForAnswer(undefined, params);
		}
		return askForAnswer(asker.ask, Object.keys(_meta).length === 0 ? asked : { ...asked, _meta }, mcpReq.signal);
	});
}

async function shakeHands(client: Client, transport: Transport, signal: AbortSignal): Promise<void> {
	const giveUp = () => void transport.close().catch(() => {});
	const handshake = new Handshake(transport, giveUp);
	signal.addEventListener("abort", giveUp, { once: true });
	try {
		await client.connect(transport, NO_TIMEOUT);
	} catch (thrown) {
		await client.close().catch(() => {});
		await transport.close().catch(() => {});
		throw handshake.failure ?? toUpstreamError(thrown);
	} finally {
		signal.removeEventListener("abort", giveUp);
	}
}

function negotiation(spec: ReachableSpec): "auto" | "legacy" | { pin: string } {
	if (spec.protocol === "modern") return { pin: MODERN_REVISION };
	return spec.protocol === "auto" && spec.kind === "http" ? "auto" : "legacy";
}

/** The wait is short if silence may mean that the server speaks the other era. */
function probePatience({ protocol }: ReachableSpec, timeoutMs: number): number {
	return protocol === "modern" ? timeoutMs : Math.min(5_000, timeoutMs);
}

/** Over modern HTTP a tool's schema may ask for arguments in headers; returns why an invalid one cannot be used. */
function headerProblem(client: Client, { kind }: ReachableSpec): (tool: ToolDefinition) => string | undefined {
	const mirrors = kind !== "stdio" && client.getProtocolEra() === "modern";
	return ({ inputSchema }) => (mirrors ? paramHeaderProblem(inputSchema) : undefined);
}

function page(client: Client, cursor: string | undefined, timeoutMs: number): Promise<unknown> {
	const params = cursor === undefined ? {} : { cursor };
	return client.request({ method: "tools/list", params }, AS_IS, {
		...NO_TIMEOUT,
		signal: createPatientSignal(timeoutMs),
	});
}

function callTool(
	{ client, taskProgress }: { readonly client: Client; readonly taskProgress: TaskProgress },
	definition: ToolDefinition,
	args: JsonObject,
	{ signal, deadline, silenceMs, onProgress, ask }: CallOptions,
	onTask: (id: string) => void,
): Promise<unknown> {
	const params = { name: definition.name, arguments: args };
	const options = {
		...NO_TIMEOUT,
		signal,
		...(onProgress !== undefined && { onprogress: (update: Progress) => onProgress(toolProgress(update)) }),
	};
	// The SDK needs the tool's definition in order to mirror arguments into headers.
	if (client.getProtocolEra() === "modern") {
		const toolDefinition = withoutOutputSchema(definition);
		// In this era every request declares which questions its client can answer.
		const _meta = { [META.clientCapabilities]: ask === undefined ? {} : CAN_BE_ASKED };
		return callWithInput(
			(input) =>
				client.callTool({ ...params, ...input, _meta }, { ...options, toolDefinition, allowInputRequired: true }),
			ask,
		);
	}
	const tasks = client.getServerCapabilities()?.tasks;
	if (isTaskNeeded(definition, tasks)) {
		const send: TaskCall["send"] = (method, params, signal) =>
			client.request({ method, params }, AS_IS, { ...NO_TIMEOUT, ...(signal !== undefined && { signal }) });
		const canCancel = tasks?.cancel !== undefined;
		return taskProgress.during(onProgress, (meta, onState) =>
			callAsTask({
				send,
				params: { ...params, ...meta },
				signal,
				deadline,
				...(silenceMs !== undefined && { silenceMs }),
				canCancel,
				onTask,
				onState,
			}),
		);
	}
	return client.request({ method: "tools/call", params }, AS_IS, options);
}

function withoutOutputSchema({ name, inputSchema }: ToolDefinition): Tool {
	return {
		name,
		inputSchema: { ...(typeof inputSchema === "object" && inputSchema !== null ? inputSchema : {}), type: "object" },
	};
}

function toolProgress({ progress, total, message }: Progress): ToolProgress {
	return { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
}
