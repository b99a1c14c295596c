import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, readMember } from "./json/jsonValue.ts";

/** Where an asset fails its schema: `path` is a JSON Pointer into the asset. */
export type AssetError = { readonly path: string; readonly msg: string; readonly schemaPath?: string };

/** Negative answers of tools: results, not JSON-RPC errors. */
export type Failure =
	| { readonly ok: false; readonly reason: "not_found" }
	| { readonly ok: false; readonly reason: "validation_failed"; readonly errors: readonly AssetError[] }
	| { readonly ok: false; readonly reason: "backend_error"; readonly status: number; readonly detail: string }
	| { readonly ok: false; readonly reason: "unsupported"; readonly detail: string };

/** What a tool answers: `ok` and the members its contract names. */
export type ToolResult =
	| Failure
	| ({ readonly ok: true } & { readonly [member: string]: JsonValue | readonly JsonObject[] });

/** The answer of `validate_asset` for a valid asset, as JSON. */
export const VALID = '{"ok":true}';
export const NOT_FOUND: Failure = { ok: false, reason: "not_found" };
export const PAYLOAD_TOO_LARGE: Failure = refuseInvalid("payload_too_large");
export const NETWORK_UNREACHABLE: Failure = {
	ok: false,
	reason: "backend_error",
	status: 503,
	detail: "network_unreachable",
};

export function refuseUnsupported(detail: string): Failure {
	return { ok: false, reason: "unsupported", detail };
}

/** A refusal that concerns the request as a whole, so its path is the root. */
export function refuseInvalid(msg: string): Failure {
	return { ok: false, reason: "validation_failed", errors: [{ path: "", msg }] };
}

/** Limit on one answer, in characters. */
export const MAX_ANSWER_LENGTH = 16 * 1024 * 1024;

/** Last entry of a list that was cut off. */
export const CUT_OFF = "there is more than an answer can hold";

/**
 * Counts the size of an answer. Each path in it may be as long as the request, so kilobytes could produce gigabytes.
 */
export class AnswerSize {
	#length = 0;

	/** Whether the texts still fit. Ask before joining them, while they take no memory of their own. */
	fits(...texts: readonly string[]): boolean {
		for (const { length } of texts) this.#length += length;
		return this.#length <= MAX_ANSWER_LENGTH;
	}
}

/** Answers that hold a document: the member in which it is, and all that such an answer may have. */
const ANSWERS = [
	["example", ["ok", "example", "schema", "validated"]],
	["schema", ["ok", "schema", "version"]],
	["patch", ["ok", "patch", "fixed", "remaining"]],
	["document", ["ok", "document"]],
] as const;

export type DocumentMember = (typeof ANSWERS)[number][0];

/** If a file's content is an answer of a tool instead of a document: the member in which the document is. */
export function findDocumentMember(value: JsonValue): DocumentMember | undefined {
	if (!isJsonObject(value) || value.ok !== true) return undefined;
	const answer = ANSWERS.find(([name, members]: readonly [DocumentMember, readonly string[]]) => {
		const inside = readMember(value, name);
		const isDocument = name === "patch" ? isJsonArray(inside) : isJsonObject(inside);
		return isDocument && Object.keys(value).every((other) => members.includes(other));
	});
	return answer?.[0];
}

/** What is wrong with such a file where the document is wanted. */
export function describeSavedAnswer(name: DocumentMember): string {
	return `is a saved answer, whose ${JSON.stringify(name)} alone is the ${name}`;
}
