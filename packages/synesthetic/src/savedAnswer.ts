import { isJsonArray, isJsonObject, type JsonValue, member } from "./json/jsonValue.ts";

/** Answers that hold a document: the member in which it is, and all that such an answer may have. */
const ANSWERS = [
	["example", ["ok", "example", "schema", "validated"]],
	["schema", ["ok", "schema", "version"]],
	["patch", ["ok", "patch", "fixed", "remaining"]],
	["document", ["ok", "document"]],
] as const;

export type DocumentMember = (typeof ANSWERS)[number][0];

/** If a file's content is an answer of a tool instead of a document: the member in which the document is. */
export function documentMember(value: JsonValue): DocumentMember | undefined {
	if (!isJsonObject(value) || value.ok !== true) return undefined;
	const answer = ANSWERS.find(([name, members]: readonly [DocumentMember, readonly string[]]) => {
		const inside = member(value, name);
		const isDocument = name === "patch" ? isJsonArray(inside) : isJsonObject(inside);
		return isDocument && Object.keys(value).every((other) => members.includes(other));
	});
	return answer?.[0];
}

/** What is wrong with such a file where the document is wanted. */
export function savedAnswer(name: DocumentMember): string {
	return `is a saved answer, whose ${JSON.stringify(name)} alone is the ${name}`;
}
