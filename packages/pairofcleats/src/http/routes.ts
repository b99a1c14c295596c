import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { parseStrictJson } from "libmcp";
import { HttpRefusal, readBody } from "libmcp/http";
import { type Envelope, failure, success } from "../contract/envelope.ts";
import { CleatsError, invalidField, toCleatsError } from "../contract/errors.ts";
import type { ToolArgumentsOf, ToolName } from "../registry/registry.ts";
import { writeEnvelope } from "../searching/writtenSearch.ts";
import type { ToolRunner } from "../tools/toolRunner.ts";
import { validateArguments } from "../tools/validateArguments.ts";
import type { ProgressReport } from "../workspace/toolCall.ts";
import { type Exchange, sendEnvelope, sendText } from "./answers.ts";
import type { ApiMetrics } from "./metrics.ts";
import { makeOpenApiDocument } from "./openApi.ts";

export type Routes = Readonly<Record<string, Readonly<Record<string, (exchange: Exchange) => Promise<void>>>>>;

export type RouteOptions = {
	readonly maxBodyBytes?: number;
	readonly bodyTimeoutMs?: number;
	readonly keepAliveMs?: number;
};

const MAX_BODY_BYTES = 1024 * 1024;
const BODY_TIMEOUT_MS = 10_000;

/** Every path of the API with its methods. */
export function makeRoutes(runner: ToolRunner, metrics: ApiMetrics, options: RouteOptions): Routes {
	const started = performance.now();
	const ask = async <Name extends ToolName>(
		name: Name,
		args: ToolArgumentsOf<Name>,
		{ requestId, signal }: Exchange,
		onProgress?: (report: ProgressReport) => void,
	): Promise<Envelope> =>
		runner.run(name, args, { requestId, signal, written: true, ...(onProgress && { onProgress }) });
	const openStream = ({ response, requestId }: Exchange): EventStream =>
		new EventStream(response, requestId, options.keepAliveMs);

	return {
		"/health": {
			GET: async (exchange) => {
				const uptimeMs = Math.round((performance.now() - started) * 1000) / 1000;
				sendEnvelope(exchange, success({ uptimeMs }, { requestId: exchange.requestId }));
			},
		},
		"/status": {
			GET: async (exchange) => {
				const envelope = await ask("index_status", statusArguments(exchange.url), exchange);
				if (envelope.ok) sendTagged(exchange, envelope);
				else sendEnvelope(exchange, envelope);
			},
		},
		"/status/stream": {
			GET: async (exchange) => {
				const args = statusArguments(exchange.url);
				const { label } = runner.workspace.locate(args.repoPath);
				const stream = openStream(exchange);
				stream.tell("start", { repo: label });
				stream.finish(await settled(ask("index_status", args, exchange), exchange));
			},
		},
		"/search": {
			POST: async (exchange) => {
				sendEnvelope(exchange, await ask("search", await searchArguments(exchange, options), exchange));
			},
		},
		"/search/stream": {
			POST: async (exchange) => {
				const args = await searchArguments(exchange, options);
				runner.workspace.locate(args.repoPath);
				const stream = openStream(exchange);
				stream.tell("start", {});
				const onProgress = ({ phase, message }: ProgressReport): void => stream.tell("progress", { phase, message });
				stream.finish(await settled(ask("search", args, exchange, onProgress), exchange));
			},
		},
		"/openapi.json": {
			GET: async ({ response }) => {
				const type = "application/vnd.oai.openapi+json;version=3.1";
				// Relative to where the document was read: whatever the port, and behind a proxy too.
				sendText(response, 200, JSON.stringify(makeOpenApiDocument("/")), { "content-type": type });
			},
		},
		"/metrics": {
			GET: async ({ response }) => {
				const type = "text/plain; version=0.0.4; charset=utf-8";
				sendText(response, 200, metrics.text(runner.load), { "content-type": type });
			},
		},
	};
}

/** Once a stream has begun, no HTTP status can be sent, so all errors become events. */
async function settled(asking: Promise<Envelope>, { requestId }: Exchange): Promise<Envelope> {
	try {
		return await asking;
	} catch (thrown) {
		return failure(toCleatsError(thrown), { requestId });
	}
}

/** Errors call the repository `repoPath`, as over MCP, so that name is taken too. */
function statusArguments({ searchParams }: URL): ToolArgumentsOf<"index_status"> {
	for (const name of searchParams.keys()) {
		if (name !== "repo" && name !== "repoPath")
			throw new CleatsError("INVALID_REQUEST", `${name.slice(0, 80)}: no such parameter; expected repo`);
	}
	const given = [...searchParams.getAll("repo"), ...searchParams.getAll("repoPath")];
	if (given.length > 1) throw invalidField("repo", "one path", given);
	return given[0] === undefined ? {} : validateArguments("index_status", { repoPath: given[0] });
}

/** Sends the status, or 304 if it has not changed since the caller last saw it. */
function sendTagged(exchange: Exchange, envelope: Extract<Envelope, { ok: true }>): void {
	const etag = `W/"${createHash("sha256").update(JSON.stringify(envelope.result)).digest("base64url").slice(0, 22)}"`;
	const seen = (exchange.request.headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim());
	if (!seen.includes(etag) && !seen.includes("*")) {
		sendEnvelope(exchange, envelope, { etag, "cache-control": "private, no-cache" });
		return;
	}
	exchange.response.writeHead(304, { etag, "cache-control": "private, no-cache" });
	exchange.response.end();
}

async function searchArguments(
	{ request, signal, url }: Exchange,
	options: RouteOptions,
): Promise<ToolArgumentsOf<"search">> {
	const [ignored] = url.searchParams.keys();
	if (ignored !== undefined) {
		const message = `${ignored.slice(0, 80)}: no such parameter; the arguments belong in the body`;
		throw new CleatsError("INVALID_REQUEST", message);
	}
	const waitMs = options.bodyTimeoutMs ?? BODY_TIMEOUT_MS;
	const body = await inTime(readBody(request, options.maxBodyBytes ?? MAX_BODY_BYTES), waitMs);
	signal.throwIfAborted();
	const parsed = parseStrictJson(body);
	if (!parsed.ok) throw new CleatsError("INVALID_REQUEST", `body: ${parsed.detail}`, { reason: parsed.reason });
	if (typeof parsed.value !== "object" || parsed.value === null) throw invalidField("body", "an object", parsed.value);
	const args = validateArguments("search", parsed.value);
	if (args.render === "porcelain") throw invalidField("render", "json, the only form over HTTP", args.render);
	return args;
}

async function inTime<Value>(reading: Promise<Value>, waitMs: number): Promise<Value> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_resolve, reject) => {
		const message = `the body did not come within ${waitMs} ms`;
		// The rest of the body may still arrive, so the connection cannot be reused for another request.
		timer = setTimeout(() => reject(new HttpRefusal("REQUEST_TIMEOUT", message, { connection: "close" })), waitMs);
	});
	try {
		return await Promise.race([reading, late]);
	} finally {
		clearTimeout(timer);
	}
}

const KEEP_ALIVE_MS = 15_000;
/** A client that lets this much output pile up is disconnected. */
const MOST_BACKLOG_BYTES = 16 * 1024 * 1024;

type EventName = "start" | "progress" | "result" | "error" | "done";

/** A response sent as server-sent events, each carrying an envelope; `done` is always the last. */
class EventStream {
	readonly #response: ServerResponse;
	readonly #requestId: string;
	readonly #keepAlive: NodeJS.Timeout;

	constructor(response: ServerResponse, requestId: string, keepAliveMs: number = KEEP_ALIVE_MS) {
		this.#response = response;
		this.#requestId = requestId;
		response.writeHead(200, {
			"content-type": "text/event-stream",
			"cache-control": "no-cache",
			"x-accel-buffering": "no",
		});
		response.flushHeaders();
		this.#keepAlive = setInterval(() => this.#write(": keep-alive\n\n"), keepAliveMs);
		response.once("close", () => clearInterval(this.#keepAlive));
	}

	send(event: EventName, envelope: Envelope): void {
		this.#write(`event: ${event}\ndata: ${writeEnvelope(envelope).text}\n\n`);
	}

	tell(event: "start" | "progress", result: Readonly<Record<string, unknown>>): void {
		this.send(event, success(result, { requestId: this.#requestId }));
	}

	/** Sends the outcome and ends the stream. */
	finish(envelope: Envelope): void {
		this.send(envelope.ok ? "result" : "error", envelope);
		this.send("done", success({}, { requestId: this.#requestId }));
		clearInterval(this.#keepAlive);
		this.#response.end();
	}

	#write(text: string): void {
		if (this.#response.destroyed || this.#response.writableEnded) return;
		this.#response.write(text);
		if (this.#response.writableLength > MOST_BACKLOG_BYTES) this.#response.destroy();
	}
}
