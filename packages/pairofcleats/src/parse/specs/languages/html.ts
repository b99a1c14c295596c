import { blank } from "../readAs.ts";
import type { GrammarSpec } from "../spec.ts";

const LANDMARKS =
	/^(?:head|body|main|nav|header|footer|section|article|aside|form|table|script|style|template|dialog)$/;

export const HTML: GrammarSpec = {
	/** What a template engine fills in, which may have quotes in an attribute's quotes, or stand between attributes. */
	readAs: [
		{ words: ["{%"], at: /\{%(?:(?!%\}|<\/)[^\n]){0,400}%\}/g, as: blank },
		{ words: ["{{"], at: /\{\{(?:(?!\}\}|<\/)[^\n]){0,400}\}\}/g, as: blank },
	],
	embedded: [
		{
			element: "script_element",
			tag: /\b(?:lang|type)\s*=\s*["']?(?:ts\b|(?:text|application)\/typescript)/i,
			grammar: "typescript",
			language: "typescript",
		},
		{
			element: "script_element",
			tag: /^(?![\s\S]*\s(?:type|src)\s*=)|\stype\s*=\s*["']?(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/babel)\b/i,
			grammar: "javascript",
			language: "javascript",
		},
		{
			element: "style_element",
			tag: /^(?![\s\S]*\s(?:lang|type)\s*=\s*["']?(?:text\/)?(?!css)\w)/i,
			grammar: "css",
			language: "css",
		},
	],
	definitions: {
		element: {
			kind: "element",
			name: "@start_tag|@self_closing_tag",
			container: true,
			small: true,
			landmarks: LANDMARKS,
		},
		script_element: { kind: "element", name: "@start_tag", small: true, landmarks: LANDMARKS },
		style_element: { kind: "element", name: "@start_tag", small: true, landmarks: LANDMARKS },
	},
	comments: ["comment"],
	identifiers: [],
};
