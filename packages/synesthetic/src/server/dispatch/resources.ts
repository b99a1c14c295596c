import { RPC_CODES, type RpcContext, RpcError } from "libmcp/serve";
import type { Assets } from "../../assets.ts";
import type { JsonObject } from "../../json/jsonValue.ts";
import { stringifyJson } from "../../json/stringifyJson.ts";

const SCHEMA = "synesthetic://schema/";
const EXAMPLE = "synesthetic://example/";
const JSON_TYPE = "application/json";

export const RESOURCE_TEMPLATES: readonly JsonObject[] = [
	{ uriTemplate: `${SCHEMA}{name}`, name: "schema", title: "A schema by name", mimeType: "application/schema+json" },
	{ uriTemplate: `${EXAMPLE}{+path}`, name: "example", title: "An example by its path", mimeType: JSON_TYPE },
];

/** Every schema and example as a resource of its own. */
export function listResources(assets: Assets): JsonObject[] {
	const schemas = [...assets.catalog.schemas.values()].map(({ name, version }) => ({
		uri: SCHEMA + encodeURIComponent(name),
		name,
		title: version === "" ? `Schema ${name}` : `Schema ${name} ${version}`,
		mimeType: "application/schema+json",
	}));
	const examples = assets.catalog.examples.map(({ inner, component }) => ({
		uri: EXAMPLE + inner.split("/").map(encodeURIComponent).join("/"),
		name: inner,
		title: `Example ${component}`,
		mimeType: JSON_TYPE,
	}));
	return [...schemas, ...examples];
}

/** An unknown resource has a code of its own in the revisions with a handshake. */
export function readResource(uri: unknown, assets: Assets, era: RpcContext["era"]): JsonObject {
	const found = typeof uri === "string" ? contentOf(uri, assets) : undefined;
	if (typeof uri !== "string" || found === undefined) {
		const message = `uri: expected one that resources/list gives`;
		const code = era === "legacy" ? RPC_CODES.resourceNotFound : RPC_CODES.invalidParams;
		throw new RpcError(code, message, { code: "NOT_FOUND", message, uri });
	}
	return { uri, ...found };
}

function contentOf(uri: string, assets: Assets): JsonObject | undefined {
	if (uri.startsWith(SCHEMA)) {
		const entry = assets.catalog.schemas.get(decoded(uri.slice(SCHEMA.length)) ?? "");
		return entry && { mimeType: "application/schema+json", text: stringifyJson(entry.schema) };
	}
	if (!uri.startsWith(EXAMPLE)) return undefined;
	const path = decoded(uri.slice(EXAMPLE.length));
	// A client that fills in the template itself takes the path that `list_examples` prints.
	const entry = assets.catalog.examples.find(({ inner }) => inner === path) ?? assets.findExample(path);
	return entry && { mimeType: JSON_TYPE, text: stringifyJson(entry.example) };
}

function decoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
