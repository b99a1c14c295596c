import { isDeepStrictEqual } from "node:util";
import { hasLongInteger } from "../../contract/exactJson.ts";
import { isObject, type JsonObject } from "../../contract/json.ts";
import { addSize, renderContent } from "./blocks.ts";
import { renderValue } from "./porcelain.ts";

/** The value of a run as text. Prefers the tool's own text if it is made for reading or more exact. */
export function renderResult(value: unknown, mcpResult: JsonObject | undefined): string {
	return blockLines(value, mcpResult) ?? ownText(value, mcpResult) ?? renderValue(value);
}

/** The value in its own text where the text of its run tells it in other words. */
export function findWordedValue(text: string, value: unknown): string | undefined {
	const own = renderValue(value);
	return text === own || isExacter(text, value) ? undefined : own;
}

/** The text where the value is the list of the blocks, or of their texts. */
function blockLines(value: unknown, mcpResult: JsonObject | undefined): string | undefined {
	if (!Array.isArray(value) || mcpResult?.structuredContent !== undefined || !Array.isArray(mcpResult?.content))
		return undefined;
	const blocks = mcpResult.content.filter(isObject);
	if (blocks.length !== value.length) return undefined;
	if (blocks.every(({ type }) => type === "text"))
		return value.length > 1 && value.every((text) => typeof text === "string") ? value.join("\n") : undefined;
	return renderContent(value.filter(isObject).map(addSize));
}

function ownText(value: unknown, mcpResult: JsonObject | undefined): string | undefined {
	const [block, ...blocks] = Array.isArray(mcpResult?.content) ? mcpResult.content : [];
	if (!isObject(block) || block.type !== "text" || typeof block.text !== "string" || blocks.length > 0)
		return undefined;
	const { text } = block;
	return isOnlyField(text, value) || isWording(text, value) || isExacter(text, value) ? text : undefined;
}

/** Whether the text is the value's only field; plain text is shorter than JSON and can be copied. */
function isOnlyField(text: string, value: unknown): boolean {
	const [field, ...fields] = isObject(value) ? Object.values(value) : [];
	return field === text && fields.length === 0;
}

/** A text that is much shorter than the value says only what there is, as in `3 files found`. */
const LEAST_SHARE = 0.2;

/** Whether the text tells the value in words, instead of repeating it as JSON. */
function isWording(text: string, value: unknown): boolean {
	if (!isObject(value) || text.length < LEAST_SHARE * renderValue(value).length) return false;
	try {
		JSON.parse(text);
		return false;
	} catch {
		// Text that is no JSON is words.
		return true;
	}
}

/** Whether the text is the same value as JSON, but with digits that parsing has rounded away. */
function isExacter(json: string, value: unknown): boolean {
	try {
		return hasLongInteger(json) && isDeepStrictEqual(JSON.parse(json), value);
	} catch {
		// Text that is no JSON is no value.
		return false;
	}
}
