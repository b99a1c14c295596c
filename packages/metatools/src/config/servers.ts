import { isObject, type JsonObject, showSecret, showValue } from "../contract/json.ts";
import { type HttpSpec, PROTOCOLS, type Protocol, type ReachableSpec, type Unplaced } from "../upstream/spec.ts";
import { readValue } from "./kinds.ts";

const HTTP_TYPES = new Set(["http", "streamable", "streamable-http", "streamableHttp"]);

/** Reads one entry of `mcpServers`, from our file or a client's; throws if it is unusable. Unknown fields are ignored. */
export function readServer(
	name: string,
	entry: unknown,
	place: string,
	variables: ReadonlyMap<string, string>,
): Unplaced<ReachableSpec> {
	if (!isObject(entry)) throw new Error(`${place}: expected an object, got ${showSecret(entry)}`);
	const common = {
		name,
		...(entry.description !== undefined && { description: text(entry.description, `${place}.description`) }),
		protocol: protocol(entry.protocol, `${place}.protocol`),
		...(entry.elicitation === true && { elicitation: true }),
		...(entry.execution_timeout !== undefined && {
			executionTimeoutMs: milliseconds(entry.execution_timeout, `${place}.execution_timeout`),
		}),
		...(entry.execution_total_timeout !== undefined && {
			executionTotalTimeoutMs: milliseconds(entry.execution_total_timeout, `${place}.execution_total_timeout`),
		}),
		...(entry.include !== undefined && { include: texts(entry.include, `${place}.include`) }),
		...(entry.exclude !== undefined && { exclude: texts(entry.exclude, `${place}.exclude`) }),
		...(variables.size > 0 && { variables: Object.fromEntries(variables) }),
	};
	const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
	if (entry.command !== undefined && url !== undefined)
		throw new Error(`${place}: expected either command or url, got both`);
	if (url !== undefined) {
		const to = address(url, `${place}.url`);
		return {
			...common,
			kind: httpKind(entry.type ?? entry.transport, to, `${place}.type`),
			url: to,
			headers: textMap(entry.headers, `${place}.headers`),
			...oauthClient(entry.oauth, `${place}.oauth`),
		};
	}
	if (entry.command === undefined) throw new Error(`${place}: expected a command or a url, got neither`);
	return {
		...common,
		kind: "stdio",
		command: text(entry.command, `${place}.command`),
		args: entry.args === undefined ? [] : texts(entry.args, `${place}.args`),
		env: textMap(entry.env, `${place}.env`),
		...(entry.cwd !== undefined && { cwd: text(entry.cwd, `${place}.cwd`) }),
	};
}

export function isSwitchedOff(entry: unknown): boolean {
	return isObject(entry) && (entry.disabled === true || entry.enabled === false);
}

function oauthClient(value: unknown, place: string): Pick<HttpSpec, "oauthClient"> {
	if (value === undefined) return {};
	if (!isObject(value)) throw new Error(`${place}: expected an object, got ${showSecret(value)}`);
	const { client_id: id, client_secret: secret, client_metadata_url: metadataUrl } = value;
	if (metadataUrl !== undefined) {
		const url = address(metadataUrl, `${place}.client_metadata_url`);
		if (!url.startsWith("https:"))
			throw new Error(`${place}.client_metadata_url: expected https, got ${showValue(withoutCredentials(url))}`);
		return { oauthClient: { metadataUrl: url } };
	}
	return {
		oauthClient: {
			id: text(id, `${place}.client_id`),
			...(secret !== undefined && { secret: text(secret, `${place}.client_secret`) }),
		},
	};
}

/** Many clients try both transports, so their entries have no type; then a path ending in `/sse` means the old one. */
function httpKind(type: unknown, url: string, place: string): "http" | "sse" {
	if (type === undefined) return /\/sse\/?$/.test(new URL(url).pathname) ? "sse" : "http";
	if (HTTP_TYPES.has(String(type))) return "http";
	if (type === "sse") return "sse";
	throw new Error(`${place}: expected http or sse for a server with a url, got ${showValue(type)}`);
}

function protocol(value: unknown, place: string): Protocol {
	const found = PROTOCOLS.find((name) => name === (value ?? "auto"));
	if (found === undefined)
		throw new Error(`${place}: expected one of ${PROTOCOLS.join(", ")}, got ${showValue(value)}`);
	return found;
}

function milliseconds(value: unknown, place: string): number {
	return Number(readValue({ type: "duration" }, value, place));
}

function address(value: unknown, place: string): string {
	const given = text(value, place);
	const url = URL.parse(given);
	if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
		throw new Error(`${place}: expected an http or https address, got ${showValue(withoutCredentials(given))}`);
	if (url.username !== "" || url.password !== "")
		throw new Error(`${place}: expected no user name or password in it; a header can carry them`);
	return url.href;
}

/** An address, sound or not, without its user and query. */
function withoutCredentials(url: string): string {
	return url.replace(/[?#].*$/s, "").replace(/(^|\/\/)[^/]*@/, "$1");
}

function text(value: unknown, place: string): string {
	if (typeof value !== "string" || value === "") throw new Error(`${place}: expected text, got ${showSecret(value)}`);
	return value;
}

function texts(value: unknown, place: string): readonly string[] {
	if (!Array.isArray(value)) throw new Error(`${place}: expected a list of texts, got ${showSecret(value)}`);
	return value.map((item, index) => (typeof item === "string" ? item : text(item, `${place}.${index}`)));
}

function textMap(value: unknown, place: string): Readonly<Record<string, string>> {
	if (value === undefined) return {};
	if (!isObject(value)) throw new Error(`${place}: expected an object of texts, got ${showSecret(value)}`);
	return Object.fromEntries(
		Object.entries(value as JsonObject).map(([key, item]) => [
			key,
			typeof item === "number" || typeof item === "boolean"
				? String(item)
				: typeof item === "string"
					? item
					: text(item, `${place}.${key}`),
		]),
	);
}
