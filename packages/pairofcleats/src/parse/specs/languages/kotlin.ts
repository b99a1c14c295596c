import { blank, decorator, nameLike, word } from "../readAs.ts";
import { ACCESS } from "../rules.ts";
import type { GrammarSpec } from "../spec.ts";

export const KOTLIN: GrammarSpec = {
	definitions: {
		class_declaration: {
			kind: { byChild: { "'interface'": "interface", "'enum'": "enum" }, otherwise: "class" },
			name: "@type_identifier",
			container: true,
		},
		object_declaration: { kind: "class", name: "@type_identifier", container: true },
		companion_object: { kind: "class", name: "@type_identifier|@'companion'", unnamed: "Companion", container: true },
		function_declaration: {
			kind: "function",
			name: "@simple_identifier",
			result: "@after ':'",
			receiver: "@before '.'",
		},
		secondary_constructor: { kind: "constructor", name: "@'constructor'" },
		property_declaration: {
			kind: "property",
			name: "@variable_declaration/@simple_identifier",
			small: true,
			value: { field: "@last", kinds: { lambda_literal: "function", anonymous_function: "function" } },
		},
		class_parameter: { kind: "property", name: "@simple_identifier", small: true, requires: "@binding_pattern_kind" },
		type_alias: { kind: "type", name: "@type_identifier" },
		enum_entry: { kind: "property", name: "@simple_identifier", small: true, container: true },
	},
	/**
	 * Works around the grammar: it does not know `fun interface`, takes a body after `by impl` for a lambda argument,
	 * takes a constructor on the next line for a call, and does not know `actual` before a parameter.
	 */
	blanks: [
		/\b()actual(?=[ \t]+va[lr]\b)/g,
		/(\bobject[ \t]*:[^\n{=]{0,200}[^{\n=\s])[ \t]+by[ \t]+[\w.]+(?:\([^()\n]{0,200}\))?(?=[ \t]*\{)/g,
		/(\bclass[ \t]+\w+(?:<[^<>\n]{0,100}>)?)[ \t]*(?:@[\w.]+(?:\([^()\n]*\))?[ \t]*){0,8}\r?\n\s*(?:(?:\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/)){0,2000}\*\/)\s*){0,8}(?:@[\w.]+(?:\([^()\n]*\))?\s+){0,8}(?:(?:internal|private|protected|public|actual|expect)\s+){0,3}constructor(?=[ \t]*\()/g,
		/\b()fun(?=[ \t]+interface\b)/g,
		/^((?:[^\n={]{0,120}\b(?:class|object)\b|[ \t]{0,40}\)[ \t]*:)[^{\n]{0,300}[^{\n=\s])[ \t]+by[ \t]+[\w.]+(?:\([^()\n]{0,200}\))?(?=[ \t]*\{)/gm,
		/(^|[^\w$"])\$\$+(?=")/gm,
	],
	readAs: [
		/** Context parameters, on the line before the function or on the same line: `context(log: Logger)`. */
		{
			at: /(?<=^[ \t]*)context\((?:[^()]|\([^()]*\)){0,400}\)(?=\s+(?:@\w|(?:[a-z]+[ \t]+){0,6}(?:fun|val|var|class|interface|object)\b))/gm,
			as: decorator,
		},
		/** Newer than the grammar: the guard of a case, `is User if it.admin ->`, shown as another condition. */
		{
			at: /\bif(?=[ \t][^\n{}]{1,200}->)(?<=^[ \t]+(?![ \t]|(?:else|return|throw|val|var)\b)(?:!?(?:is|in)[ \t]+)?[\w.<>*?," ]{1,120}[ \t]if)/gm,
			as: word(","),
		},
		{ at: /^[ \t]+else[ \t]+if(?=[ \t][^\n{}]{1,200}->)/gm, as: blank },
		/** A name that the grammar takes for a modifier at the beginning of a statement: `final = true`. */
		{
			at: /\b(?:abstract|annotation|const|crossinline|enum|external|final|infix|inline|internal|lateinit|noinline|open|operator|override|private|protected|public|sealed|suspend|tailrec|vararg)(?=[ \t]*(?:[-+*/%]?=(?!=)|\+\+|--|\?\.|!!|\[)|\.\w|\()(?<=(?:^|[;{)]|->|\belse)[ \t]*\w+)/gm,
			as: nameLike,
		},
		/** Newer than the grammar: `0..<n`. */
		{ at: /\.\.</g, as: word("..") },
		/** On one line, the grammar misses the end of a function in the body of an enum's entry: `A { fun f() = 1 }, B`. */
		{ at: /[ \t](?=\}[ \t]*[,;}])(?<=\bfun[ \t][^\n{}=]{1,120}=[^\n{}=]{1,120})/g, as: word(";") },
		/** Otherwise the `else` is attached to an `if` in the case before it. */
		{ at: /\s(?=else[ \t]*->)(?<=[^;{\s]\s+)/g, as: word(";") },
		/** Otherwise the case is attached to a call in the case before it. */
		{
			words: [" in "],
			at: /[ \t](?=!?in[ \t][^\n{}=]{1,120}->)(?<=[^;{\s,(&|][ \t]*\r?\n[ \t]{1,80})/g,
			as: word(";"),
		},
	],
	/**
	 * The grammar reads several annotations before `internal class Name {` as an expression, so it is shown only the
	 * first.
	 */
	hiddenDecorators:
		/(@[\w.:]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\)){0,400}\)){0,2000}\))?)((?:\s+@[\w.:]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\)){0,400}\)){0,2000}\))?){0,20}\s+)((?!(?:data|inner|value)[ \t])(?:[a-z]+[ \t]+){1,6}(?=(?:class|object|interface)[ \t]+\w)|(?=(?:data|inner|value)[ \t]+(?:class|object)[ \t]+\w))/g,
	comments: ["line_comment", "multiline_comment"],
	modifiers: ["modifiers"],
	decorators: ["annotation"],
	bodies: ["class_body", "enum_class_body", "function_body", "statements"],
	parameters: ["function_value_parameters", "primary_constructor", "lambda_parameters"],
	impliedParameter: "it",
	visibility: { unmarked: "public", keywords: ACCESS },
	exported: "public",
	extends: ["delegation_specifier"],
	identifiers: ["simple_identifier", "interpolated_identifier"],
	quote: "`",
	typeIdentifiers: ["type_identifier"],
	nameParents: [
		"function_declaration",
		"variable_declaration",
		"navigation_suffix",
		"parameter",
		"class_parameter",
		"identifier",
		"enum_entry",
		"class_declaration",
		"object_declaration",
		"companion_object",
		"type_alias",
	],
	defaultParents: ["class_parameter"],
	labelParents: ["value_argument"],
	memberMark: "::",
	calls: { call_expression: ["@first"], infix_expression: ["@after first"] },
	lambdas: ["lambda_literal", "anonymous_function"],
	assignments: {
		property_declaration: {
			left: "@variable_declaration|@multi_variable_declaration",
			right: "@last",
			declares: true,
		},
		assignment: { left: "@directly_assignable_expression", right: "@last" },
		postfix_expression: { left: "@first", update: true, operators: ["++", "--"] },
		prefix_expression: { left: "@first", update: true, operators: ["++", "--"] },
		for_statement: { left: "@variable_declaration|@multi_variable_declaration" },
	},
	members: ["navigation_expression"],
	indexes: ["indexing_expression"],
	mutators: ["add", "addAll", "put", "putAll", "remove", "clear", "set", "append", "appendLine", "sort", "removeAt"],
	asyncWord: "suspend",
	throws: ["jump_expression:throw"],
	returns: ["jump_expression:return", "function_body:="],
	breaks: ["jump_expression:break"],
	continues: ["jump_expression:continue"],
	branches: ["if_expression", "when_entry:!else", "catch_block"],
	loops: ["for_statement", "while_statement", "do_while_statement"],
	literals: {
		string_literal: "String",
		integer_literal: "Int",
		real_literal: "Double",
		boolean_literal: "Boolean",
		long_literal: "Long",
	},
	capitalCallsConstruct: true,
	imports: { import_header: "" },
};
