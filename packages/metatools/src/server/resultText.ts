import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "../contract/json.ts";
import { losesDigits } from "../run/losesDigits.ts";
import { valueText } from "./porcelain.ts";

/** The value of a run as text. Prefers the tool's own text if it is equivalent and easier to read or more exact. */
export function resultText(value: unknown, mcpResult: JsonObject | undefined): string {
	return ownText(value, mcpResult) ?? valueText(value);
}

function ownText(value: unknown, mcpResult: JsonObject | undefined): string | undefined {
	const [block, ...blocks] = Array.isArray(mcpResult?.content) ? mcpResult.content : [];
	if (!isObject(block) || block.type !== "text" || typeof block.text !== "string" || blocks.length > 0)
		return undefined;
	return isOnlyField(block.text, value) || isExacter(block.text, value) ? block.text : undefined;
}

/** Whether the text is the value's only field; plain text is shorter than JSON and can be copied. */
function isOnlyField(text: string, value: unknown): boolean {
	const [field, ...fields] = isObject(value) ? Object.values(value) : [];
	return field === text && fields.length === 0;
}

/** Whether the text is the same value as JSON, but with digits that parsing has rounded away. */
function isExacter(json: string, value: unknown): boolean {
	try {
		return losesDigits(json) && isDeepStrictEqual(JSON.parse(json), value);
	} catch {
		return false;
	}
}
