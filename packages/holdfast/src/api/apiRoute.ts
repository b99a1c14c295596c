import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpRefusal, type Route, readBody } from "libmcp/http";
import { checkOf, isObject, type JsonObject, problemText } from "metatools";
import { ApiError, type ErrorAnswer, errorAnswer } from "./apiError.ts";
import { isApiPath, refusalAnswer } from "./apiRefusal.ts";
import { bodyJson } from "./bodyJson.ts";
import type { Endpoint, Surroundings } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { streamEvents } from "./events.ts";
import { openapi } from "./openapi.ts";

const MAX_BODY_BYTES = 4_000_000;

export type ApiOptions = Surroundings & { readonly log: (line: string) => void };

/** Everything under /api. */
export function apiRoute(options: ApiOptions): Route {
	const routes = ENDPOINTS.map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path) }));
	const startedAt = Date.now();
	return async (request, response, path) => {
		if (!isApiPath(path)) return false;
		try {
			if (path === "/api/openapi.json") {
				expectMethod(["GET"], request);
				send(response, 200, openapi(ENDPOINTS, options.version));
			} else if (path === "/api/events") {
				expectMethod(["GET"], request);
				streamEvents(options, response, startedAt);
			} else {
				const { endpoint, parameters } = find(routes, request, path);
				const stop = new AbortController();
				response.once("close", () => stop.abort());
				const answer = await endpoint.handle({
					...options,
					path: parameters,
					query: readQuery(request, endpoint),
					body: await readJson(request, endpoint),
					signal: stop.signal,
				});
				send(response, endpoint.status ?? 200, answer);
			}
		} catch (thrown) {
			const { status, body } = answerTo(thrown);
			if (status === 500)
				options.log(`api: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
			send(response, status, body);
		}
		return true;
	};
}

type RouteEntry = { readonly endpoint: Endpoint; readonly pattern: RegExp };

function find(
	routes: readonly RouteEntry[],
	request: IncomingMessage,
	path: string,
): { endpoint: Endpoint; parameters: Record<string, string> } {
	const matches = routes.flatMap(({ endpoint, pattern }) => {
		const match = pattern.exec(path);
		return match === null ? [] : [{ endpoint, groups: { ...match.groups } }];
	});
	const [first] = matches;
	if (first === undefined)
		throw new ApiError("not_found", `the API has nothing at ${JSON.stringify(path.slice(0, 80))}`);
	const match = matches.find(({ endpoint }) => endpoint.method === request.method) ?? first;
	expectMethod(
		matches.map(({ endpoint }) => endpoint.method),
		request,
	);
	const parameters = Object.fromEntries(
		Object.entries(match.groups).map(([name, text]) => [name, decoded(`path/${name}`, text)]),
	);
	return { endpoint: match.endpoint, parameters };
}

function expectMethod(methods: readonly string[], { method = "" }: IncomingMessage): void {
	if (methods.includes(method)) return;
	throw new ApiError("method_not_allowed", `method: expected ${methods.join(" or ")}, got ${method}`);
}

function patternOf(path: string): RegExp {
	return new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

function decoded(place: string, text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		throw new ApiError("invalid_request", `${place}: expected percent-encoded UTF-8, got ${JSON.stringify(text)}`);
	}
}

function namesText(names: readonly string[]): string {
	if (names.length === 0) return "expected no parameters";
	return names.length === 1 ? `expected the parameter ${names[0]}` : `expected one of ${names.join(", ")}`;
}

function readQuery(request: IncomingMessage, { query: schemas = {} }: Endpoint): JsonObject {
	const target = request.url ?? "";
	const start = target.indexOf("?");
	const values: Record<string, unknown> = {};
	const pairs = (start === -1 ? "" : target.slice(start + 1)).split("&").filter((pair) => pair !== "");
	for (const [name, text] of pairs.map(queryPair)) {
		const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
		if (schema === undefined)
			throw new ApiError("invalid_request", `query/${name.slice(0, 40)}: ${namesText(Object.keys(schemas))}`);
		const value = schema.type === "integer" && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
		check(schema, value, `query/${name}`);
		values[name] = value;
	}
	return values;
}

/** Decoded strictly: a search would otherwise look for other characters than were sent. */
function queryPair(pair: string): [name: string, text: string] {
	const [name = "", ...rest] = pair.split("=");
	const text = rest.join("=");
	const readable = (encoded: string): string => encoded.replaceAll("+", " ");
	const place = `query/${name.slice(0, 40)}`;
	return [decoded(place, readable(name)), decoded(place, readable(text))];
}

async function readJson(request: IncomingMessage, { body: schema }: Endpoint): Promise<JsonObject> {
	if (schema === undefined) return {};
	const value = bodyJson(await readBody(request, MAX_BODY_BYTES));
	if (!isObject(value)) throw new ApiError("invalid_request", "body: expected an object");
	check(schema, value, "body");
	return value;
}

function check(schema: JsonObject, value: unknown, place: string): void {
	const problems = checkOf(schema)(value).map((problem) => problemText(problem, place));
	if (problems.length > 0) throw new ApiError("invalid_request", problems.join("; "), { problems });
}

function answerTo(thrown: unknown): ErrorAnswer {
	return thrown instanceof HttpRefusal ? refusalAnswer(thrown) : errorAnswer(thrown);
}

function send(response: ServerResponse, status: number, value: unknown): void {
	if (response.headersSent || response.destroyed) return;
	const text = JSON.stringify(value);
	response.writeHead(status, {
		"content-type": "application/json; charset=utf-8",
		"content-length": Buffer.byteLength(text),
		"cache-control": "no-store",
		"x-content-type-options": "nosniff",
	});
	response.end(text);
}
