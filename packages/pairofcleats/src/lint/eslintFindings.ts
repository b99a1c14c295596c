import { invalidField } from "../contract/errors.ts";
import { isObject } from "../contract/isObject.ts";
import type { Finding } from "./finding.ts";

/** Reads ESLint's `json` format: one result per file with its messages. */
export function eslintFindings(results: readonly unknown[]): Finding[] {
	return results.flatMap((result, index) => {
		if (!isObject(result) || typeof result.filePath !== "string") {
			throw invalidField(`report[${index}].filePath`, "a path", isObject(result) ? result.filePath : result);
		}
		if (!Array.isArray(result.messages)) throw invalidField(`report[${index}].messages`, "an array", result.messages);
		const places = [result.filePath];
		return result.messages.map((message: unknown, at): Finding => {
			if (!isObject(message)) throw invalidField(`report[${index}].messages[${at}]`, "an object", message);
			const { line, ruleId, message: text } = message;
			return {
				tool: "eslint",
				places,
				line: typeof line === "number" && line >= 1 ? Math.floor(line) : 1,
				rule: typeof ruleId === "string" ? ruleId : "parse-error",
				message: typeof text === "string" ? text : "",
			};
		});
	});
}
