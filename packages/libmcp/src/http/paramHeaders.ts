import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../server/protocol.ts";
import { protocolError } from "../server/rpcErrors.ts";
import { decodeHeaderValue, encodeHeaderValue, headerOf } from "./modernHeaders.ts";

/** An argument that a tool's schema wants repeated in a header, so that intermediaries can route by it. */
export type ParamHeader = { readonly argument: string; readonly header: string };

/** The arguments of this input schema that name a header. */
export function paramHeaders(inputSchema: unknown): readonly ParamHeader[] {
	const properties = isRecord(inputSchema) ? inputSchema.properties : undefined;
	return Object.entries(isRecord(properties) ? properties : {}).flatMap(([argument, property]) => {
		const name = isRecord(property) ? property["x-mcp-header"] : undefined;
		return typeof name === "string" && name !== "" ? [{ argument, header: `mcp-param-${name.toLowerCase()}` }] : [];
	});
}

/** Refuses a call whose headers and arguments say different things. */
export function checkParamHeaders(headers: IncomingHttpHeaders, given: unknown, wanted: readonly ParamHeader[]): void {
	for (const { argument, header } of wanted) {
		const value = isRecord(given) ? given[argument] : undefined;
		const raw = headerOf(headers, header);
		const decoded = raw === undefined ? undefined : decodeHeaderValue(raw);
		if (raw !== undefined && decoded === undefined) throw mismatch(header, "is not valid Base64 between its marks");
		if (value === undefined || value === null) {
			if (raw !== undefined) throw mismatch(header, `is there, and arguments.${argument} is not`);
		} else if (decoded === undefined) throw mismatch(header, `is required for arguments.${argument}`);
		else if (!says(decoded, value)) throw mismatch(header, `does not say what arguments.${argument} says`);
	}
}

/** The headers that repeat these arguments, for whoever sends the call on. */
export function paramHeaderValues(given: unknown, wanted: readonly ParamHeader[]): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const { argument, header } of wanted) {
		const value = isRecord(given) ? given[argument] : undefined;
		if (value !== undefined && value !== null) headers[header] = encodeHeaderValue(String(value));
	}
	return headers;
}

function says(header: string, value: unknown): boolean {
	if (typeof value === "number") return header !== "" && Number(header) === value;
	return header === String(value);
}

function mismatch(header: string, problem: string): Error {
	return protocolError("HEADER_MISMATCH", `${header}: the header ${problem}`, { header });
}
