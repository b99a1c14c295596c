import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../server/protocol.ts";
import { decodeHeaderValue, encodeHeaderValue, headerOf, mismatch } from "./modernHeaders.ts";
import { headerAnnotations } from "./paramHeaderRules.ts";

/** An argument that a tool's schema wants repeated in a header, so that intermediaries can route by its value. */
export type ParamHeader = { readonly path: readonly string[]; readonly header: string };

const PREFIX = "mcp-param-";

/** The arguments that this input schema maps to headers; empty when an annotation breaks the rules. */
export function paramHeaders(inputSchema: unknown): readonly ParamHeader[] {
	const found = headerAnnotations(inputSchema);
	return typeof found === "string"
		? []
		: found.map(({ path, name }) => ({ path, header: `${PREFIX}${name.toLowerCase()}` }));
}

/** Every `Mcp-Param-` header of a request, known or not. */
export function givenParamHeaders(headers: IncomingHttpHeaders): Record<string, string> | undefined {
	let given: Record<string, string> | undefined;
	for (const name in headers) {
		const value = name.startsWith(PREFIX) ? headerOf(headers, name) : undefined;
		if (value !== undefined) given = { ...given, [name]: value };
	}
	return given;
}

/** Refuses a call whose headers and arguments disagree. */
export function checkParamHeaders(headers: IncomingHttpHeaders, given: unknown, wanted: readonly ParamHeader[]): void {
	for (const { path, header } of wanted) {
		const value = valueAt(given, path);
		const argument = `arguments.${path.join(".")}`;
		const raw = headerOf(headers, header);
		const decoded = raw === undefined ? undefined : decodeHeaderValue(raw);
		if (raw !== undefined && decoded === undefined) throw mismatch(header, "is not valid Base64 between its marks");
		if (value === undefined || value === null) {
			if (raw !== undefined) throw mismatch(header, `is present, but ${argument} is not`);
		} else if (decoded === undefined) throw mismatch(header, `is required for ${argument}`);
		else if (!says(decoded, value)) throw mismatch(header, `does not say what ${argument} says`);
	}
}

/** The headers that repeat these arguments, for a proxy that forwards the call. */
export function paramHeaderValues(given: unknown, wanted: readonly ParamHeader[]): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const { path, header } of wanted) {
		const value = valueAt(given, path);
		if (value !== undefined && value !== null) headers[header] = encodeHeaderValue(textOf(value));
	}
	return headers;
}

function valueAt(given: unknown, path: readonly string[]): unknown {
	return path.reduce<unknown>(
		(value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
		given,
	);
}

function says(header: string, value: unknown): boolean {
	if (typeof value === "number") return header !== "" && Number(header) === value;
	return header === textOf(value);
}

// A server may parse large numbers into objects that JSON writes as numbers again.
function textOf(value: unknown): string {
	return typeof value === "string" ? value : JSON.stringify(value);
}
