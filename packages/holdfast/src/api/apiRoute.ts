import type { IncomingMessage, ServerResponse } from "node:http";
import { MAX_DEPTH, parseStrictJson } from "libmcp";
import { HttpRefusal, type Route, readBody } from "libmcp/http";
import { checkOf, isObject, type JsonObject, parseExact, problemText } from "metatools";
import { ApiError, answerError, answerRefusal, type ErrorAnswer, isApiPath } from "./apiError.ts";
import type { Endpoint, Surroundings } from "./endpoint.ts";
import { streamEvents } from "./events.ts";
import { describeApi, ENDPOINTS } from "./openapi.ts";

const MAX_BODY_BYTES = 4_000_000;

type ApiOptions = Surroundings & { readonly log: (line: string) => void };

/** Everything under /api. */
export function createApiRoute(options: ApiOptions): Route {
	const routes = ENDPOINTS.map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path) }));
	const startedAt = Date.now();
	return async (request, response, path) => {
		if (!isApiPath(path)) return false;
		try {
			if (path === "/api/openapi.json") {
				expectMethod(["GET"], request);
				send(response, 200, describeApi(ENDPOINTS, options.version));
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
	const value = parseBody(await readBody(request, MAX_BODY_BYTES));
	if (!isObject(value)) throw new ApiError("invalid_request", "body: expected an object");
	check(schema, value, "body");
	return value;
}

function check(schema: JsonObject, value: unknown, place: string): void {
	const problems = checkOf(schema)(value).map((problem) => problemText(problem, place));
	if (problems.length > 0) throw new ApiError("invalid_request", problems.join("; "), { problems });
}

function answerTo(thrown: unknown): ErrorAnswer {
	return thrown instanceof HttpRefusal ? answerRefusal(thrown) : answerError(thrown);
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

/** Reads a request's body by the rules of MCP messages: nothing is run that another reader would take for something else. */
function parseBody(bytes: Buffer): unknown {
	const read = parseStrictJson(bytes, parseExact);
	if (read.ok) return read.value;
	switch (read.reason) {
		case "not_utf8":
			throw refusal("JSON, got bytes that are not UTF-8");
		case "not_json":
			throw refusal(jsonProblem(bytes.toString("utf8")));
		case "too_deep":
			throw refusal(LESS_DEEP);
		case "duplicate_member":
			throw refusal(`each member once, but ${read.detail}`);
	}
}

const LESS_DEEP = `at most ${MAX_DEPTH} levels of nesting; send such data as text`;

function refusal(expected: string): ApiError {
	return new ApiError("invalid_request", `body: expected ${expected}`);
}

function jsonProblem(text: string): string {
	if (text.startsWith("\ufeff")) return "JSON, got a text that begins with a byte order mark";
	if (text.trim() === "") return "JSON, got nothing";
	try {
		JSON.parse(text);
	} catch (error) {
		return `JSON, got text that is not (${error instanceof Error ? error.message : String(error)})`;
	}
	// Only reading its numbers exactly fails then, for want of a stack.
	return LESS_DEEP;
}
