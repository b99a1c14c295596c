import { type Dispatcher, RPC_CODES, type RpcContext, RpcError } from "libmcp";
import { assertFirstPage } from "../catalog/cursor.ts";
import { toolErrorFromAbort } from "../contract/errors.ts";
import { isObject, type JsonObject, showValue } from "../contract/json.ts";
import type { Quarantine } from "../quarantine/quarantine.ts";
import type { Viewer } from "../run/access.ts";
import { runPatiently } from "../run/patience.ts";
import { readFailure } from "../upstream/failure/failure.ts";
import type { OfferKind } from "../upstream/offers.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { Upstreams } from "../upstream/upstreams.ts";
import { refusalOf } from "./offerGate.ts";
import type { ResourceWatch } from "./resourceWatch.ts";
import { namespaceOfName, readSharedUri, sharedName, sharedUri, withSharedUris } from "./sharedNames.ts";

/** What of the gateway the prompts and resources of its servers need. */
export type OfferParts = {
	readonly upstreams: Upstreams;
	readonly quarantine: Quarantine | undefined;
	readonly watch: ResourceWatch;
	/** Whether nothing of a server is hidden from this caller: no rule speaks of its prompts and resources. */
	seesAll(namespace: string, viewer: Viewer): boolean;
	timeoutOf(namespace: string | undefined): number;
	log(line: string): void;
};

type Ask = { readonly params: JsonObject; readonly viewer: Viewer; readonly context: RpcContext };
type Handler = (parts: OfferParts, ask: Ask) => Promise<unknown>;

/** The methods of prompts and resources, which the gateway answers from all servers together. */
const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
	["prompts/list", async (parts, ask) => ({ prompts: await listAll(parts, ask, "prompts") })],
	["prompts/get", getPrompt],
	["resources/list", async (parts, ask) => ({ resources: await listAll(parts, ask, "resources") })],
	["resources/templates/list", async (parts, ask) => ({ resourceTemplates: await listAll(parts, ask, "templates") })],
	["resources/read", readResource],
	["resources/subscribe", subscribe],
	["resources/unsubscribe", unsubscribe],
	["completion/complete", complete],
]);

/** Answers what is about prompts and resources, and leaves every other method to another dispatcher. */
export function offerDispatcher(
	parts: OfferParts,
	viewerOf: (context: RpcContext) => Viewer,
	otherwise: Dispatcher,
): Dispatcher {
	return async (method, given, context) => {
		const handle = HANDLERS.get(method);
		if (handle === undefined) return otherwise(method, given, context);
		return handle(parts, { params: isObject(given) ? given : {}, viewer: viewerOf(context), context });
	};
}

/** The lists of every server that may be shown, in the order of their namespaces. A server that fails is left out. */
async function listAll(parts: OfferParts, ask: Ask, kind: OfferKind): Promise<readonly JsonObject[]> {
	assertFirstPage(ask.params.cursor);
	const open = parts.upstreams.all
		.filter(({ spec }) => parts.seesAll(spec.namespace, ask.viewer))
		.toSorted((a, b) => (a.spec.namespace < b.spec.namespace ? -1 : 1));
	const lists = await Promise.all(open.map((upstream) => listOne(parts, upstream, kind, ask.context.signal)));
	return lists.flat();
}

async function listOne(
	parts: OfferParts,
	upstream: Upstream,
	kind: OfferKind,
	signal: AbortSignal,
): Promise<readonly JsonObject[]> {
	const { namespace, name } = upstream.spec;
	try {
		const items = await itemsOf(parts, upstream, kind, signal);
		return items
			.filter((item) => !isHeld(parts, upstream, kind, item))
			.map((item) => ({ ...item, ...sharedAddress(namespace, kind, item) }));
	} catch (thrown) {
		if (signal.aborted) throw toolErrorFromAbort(signal);
		const failure = readFailure(thrown);
		parts.log(
			`${name}: its ${kind} cannot be listed: ${failure.kind === "timeout" ? "no answer in time" : failure.message}`,
		);
		return [];
	}
}

function itemsOf(
	{ timeoutOf }: OfferParts,
	upstream: Upstream,
	kind: OfferKind,
	signal: AbortSignal,
): Promise<readonly JsonObject[]> {
	return runPatiently(timeoutOf(upstream.spec.namespace), signal, (either) => upstream.offers(kind, either));
}

function isHeld({ quarantine }: OfferParts, { spec }: Upstream, kind: OfferKind, item: JsonObject): boolean {
	if (kind === "resources") return false;
	return refusalOf(quarantine, spec, kind === "prompts" ? "prompt" : "resource_template", item) !== undefined;
}

function sharedAddress(namespace: string, kind: OfferKind, item: JsonObject): JsonObject {
	switch (kind) {
		case "prompts":
			return { name: sharedName(namespace, String(item.name)) };
		case "resources":
			return { uri: sharedUri(namespace, String(item.uri)) };
		case "templates":
			return { uriTemplate: sharedUri(namespace, String(item.uriTemplate)) };
	}
}

async function getPrompt(parts: OfferParts, ask: Ask): Promise<unknown> {
	const { upstream, own } = await findPrompt(parts, ask, ask.params.name, "name");
	return askServer(parts, upstream, "prompts/get", { ...ask.params, name: own }, ask);
}

async function readResource(parts: OfferParts, ask: Ask): Promise<unknown> {
	const { upstream, own } = findResource(parts, ask, ask.params.uri, "uri");
	return askServer(parts, upstream, "resources/read", { ...ask.params, uri: own }, ask);
}

async function subscribe(parts: OfferParts, ask: Ask): Promise<unknown> {
	const { session } = ask.context;
	if (session === undefined) throw needsSession("resources/subscribe");
	const { uri } = ask.params;
	const { upstream } = findResource(parts, ask, uri, "uri");
	if (!isSubscribable(upstream))
		throw new RpcError(RPC_CODES.invalidParams, `uri: ${upstream.spec.namespace} tells nobody when a resource changes`);
	parts.watch.add(session, String(uri), ask.viewer);
	return {};
}

function isSubscribable({ capabilities }: Upstream): boolean {
	return isObject(capabilities.resources) && capabilities.resources.subscribe === true;
}

async function unsubscribe(parts: OfferParts, ask: Ask): Promise<unknown> {
	const { session } = ask.context;
	if (session === undefined) throw needsSession("resources/unsubscribe");
	if (typeof ask.params.uri === "string") parts.watch.remove(session, ask.params.uri);
	return {};
}

async function complete(parts: OfferParts, ask: Ask): Promise<unknown> {
	const ref = isObject(ask.params.ref) ? ask.params.ref : {};
	const found = await referred(parts, ask, ref);
	if (!isObject(found.upstream.capabilities.completions)) return { completion: { values: [] } };
	return askServer(parts, found.upstream, "completion/complete", { ...ask.params, ref: found.ref }, ask);
}

async function referred(
	parts: OfferParts,
	ask: Ask,
	ref: JsonObject,
): Promise<{ readonly upstream: Upstream; readonly ref: JsonObject }> {
	switch (ref.type) {
		case "ref/prompt": {
			const { upstream, own } = await findPrompt(parts, ask, ref.name, "ref.name");
			return { upstream, ref: { ...ref, name: own } };
		}
		case "ref/resource": {
			const { upstream, own } = findResource(parts, ask, ref.uri, "ref.uri");
			return { upstream, ref: { ...ref, uri: own } };
		}
		default:
			throw new RpcError(
				RPC_CODES.invalidParams,
				`ref.type: expected ref/prompt or ref/resource, got ${showValue(ref.type)}`,
			);
	}
}

/** The server of a prompt and its own name of it. What is hidden is as if it did not exist. */
async function findPrompt(
	parts: OfferParts,
	{ viewer, context }: Ask,
	name: unknown,
	field: string,
): Promise<{ readonly upstream: Upstream; readonly own: string }> {
	const upstream = typeof name === "string" ? openServer(parts, namespaceOfName(name), viewer) : undefined;
	const prompts = upstream === undefined ? [] : await itemsOf(parts, upstream, "prompts", context.signal);
	const found = prompts.find((item) => upstream && sharedName(upstream.spec.namespace, String(item.name)) === name);
	if (upstream === undefined || found === undefined)
		throw new RpcError(
			RPC_CODES.invalidParams,
			`${field}: expected a prompt that prompts/list shows, got ${showValue(name)}`,
			{
				code: "UNKNOWN_PROMPT",
			},
		);
	const refusal = refusalOf(parts.quarantine, upstream.spec, "prompt", found);
	if (refusal !== undefined) throw new RpcError(RPC_CODES.invalidParams, refusal, { code: "PROMPT_HELD" });
	return { upstream, own: String(found.name) };
}

/** The server of a resource and its own address of it. Its lists need not have it, since a template may stand for it. */
function findResource(
	parts: OfferParts,
	{ viewer, context }: Ask,
	uri: unknown,
	field: string,
): { readonly upstream: Upstream; readonly own: string } {
	const parsed = typeof uri === "string" && uri.length <= MOST_URI_CHARS ? readSharedUri(uri) : undefined;
	const upstream = openServer(parts, parsed?.namespace, viewer);
	if (parsed !== undefined && upstream !== undefined) return { upstream, own: parsed.own };
	const code = context.era === "legacy" ? RPC_CODES.resourceNotFound : RPC_CODES.invalidParams;
	throw new RpcError(
		code,
		`${field}: expected metatools:<namespace>:<address>, as resources/list shows it, of a server here, got ${showValue(uri)}`,
		{ code: "NOT_FOUND" },
	);
}

const MOST_URI_CHARS = 8_192;

function openServer(parts: OfferParts, namespace: string | undefined, viewer: Viewer): Upstream | undefined {
	const upstream = parts.upstreams.all.find(({ spec }) => spec.namespace === namespace);
	return upstream !== undefined && parts.seesAll(upstream.spec.namespace, viewer) ? upstream : undefined;
}

/** Asks a server before its deadline, and says what it answers in the gateway's addresses. */
async function askServer(
	{ timeoutOf }: OfferParts,
	upstream: Upstream,
	method: string,
	{ _meta: _, ...params }: JsonObject,
	{ context }: Ask,
): Promise<unknown> {
	const { namespace } = upstream.spec;
	const timeoutMs = timeoutOf(namespace);
	let answer: unknown;
	try {
		answer = await runPatiently(timeoutMs, context.signal, (either) => upstream.request(method, params, either));
	} catch (thrown) {
		throw refusalFrom(thrown, context, timeoutMs);
	}
	if (isObject(answer) && answer.resultType === "input_required")
		throw new RpcError(
			RPC_CODES.internalError,
			`${namespace} asks a question before it answers, which only reaches clients at /mcp/${namespace}`,
		);
	return withSharedUris(namespace, answer);
}

/** The server's own refusal as it is; any other failure with what is known of it. */
function refusalFrom(thrown: unknown, context: RpcContext, timeoutMs: number): unknown {
	if (context.signal.aborted) return thrown;
	const error = isObject(thrown) && "object" in thrown && isObject(thrown.object) ? thrown.object : undefined;
	const upstream = isObject(error?.details) && isObject(error.details.upstream) ? error.details.upstream : undefined;
	if (typeof upstream?.code === "number" && typeof upstream.message === "string") {
		const isMissing = upstream.code === RPC_CODES.resourceNotFound && context.era === "modern";
		return new RpcError(isMissing ? RPC_CODES.invalidParams : upstream.code, upstream.message, upstream.data);
	}
	if (typeof error?.message !== "string") return thrown;
	const isLate = error.code === "cancelled" || error.code === "timeout";
	return new RpcError(
		RPC_CODES.internalError,
		isLate ? `no answer within ${timeoutMs} ms; execution_timeout of the server gives it longer` : error.message,
	);
}

function needsSession(method: string): RpcError {
	return new RpcError(RPC_CODES.methodNotFound, `${method}: needs a session, and none are kept here`, {
		code: "METHOD_NOT_FOUND",
	});
}
