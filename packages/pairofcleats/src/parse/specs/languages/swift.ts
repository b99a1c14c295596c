import { body, having, quoted, word } from "../readAs.ts";
import type { GrammarSpec } from "../spec.ts";

export const SWIFT: GrammarSpec = {
	definitions: {
		class_declaration: {
			kind: { byChild: { "'struct'": "struct", "'enum'": "enum", "'extension'": "impl" }, otherwise: "class" },
			container: true,
			memberVisibility: "own",
			visibleWith: "@'extension'",
		},
		protocol_declaration: { kind: "interface", container: true },
		function_declaration: {
			kind: "function",
			result: "@after '->'",
			constructorNames: ["init"],
			wordBefore: { macro: "macro" },
		},
		protocol_function_declaration: { kind: "method", small: true, result: "@after '->'" },
		deinit_declaration: { kind: "method", name: "@'deinit'" },
		subscript_declaration: { kind: "method", name: "@'subscript'", result: "@after '->'" },
		property_declaration: {
			kind: "property",
			small: true,
			value: { field: "value", kinds: { lambda_literal: "function" } },
		},
		protocol_property_declaration: { kind: "property", name: "name/bound_identifier", small: true },
		associatedtype_declaration: { kind: "type", small: true },
		typealias_declaration: { kind: "type" },
		enum_entry: { kind: "property", small: true },
	},
	/**
	 * Syntax newer than the grammar: `struct A: ~Copyable`, `borrowing func`, `throws(Failure)`, `each T`, `#Preview { …
	 * }`, `#expect(…)`, `#error(…)` in a type, `isolated (any Actor)?`, `consume x`, `switch try await …`.
	 */
	blanks: [
		/()~(?=Copyable\b|Escapable\b)/g,
		/^([ \t]*)(?:borrowing|consuming|package|distributed)(?=[ \t]+(?:[a-z]+[ \t]+){0,4}(?:func|var|let|class|struct|enum|init|actor|protocol|extension|typealias|subscript)\b)/gm,
		/^([ \t]*)isolated(?=[ \t]+deinit\b)/gm,
		/(\bdo[ \t]+)throws\([\w.]+\)/g,
		/(\bthrows|\bnonisolated)\((?:any[ \t]+)?[\w.]+\)/g,
		having(["_sourceLocation", "#isolation"], /([=(,:][ \t]*)#(?=(?:_sourceLocation|isolation)\b)/g),
		having(["(any "], /(\()any(?=[ \t]+[A-Z][\w.]{0,80}\)\.)/g),
		having([" in try "], /(\bfor[ \t][^\n{]{1,120}[ \t]in[ \t]+)try(?:[ \t]+await)?(?=[ \t]+\w)/g),
		/()\b(?:repeat[ \t]+)?each(?=[ \t]+[A-Z])/g,
		/([<,][ \t]*)let(?=[ \t]+[A-Z]\w*[ \t]*:)/g,
		/(:[ \t]*)sending(?=[ \t])/g,
		/(:[ \t]*)isolated(?=[ \t]*\()/g,
		/((?:[=(,:]|\breturn)[ \t]*)consume(?=[ \t]+[a-z_]\w*)/g,
		/(\bswitch[ \t]+)try(?:[ \t]+await)?(?=[ \t]+\w)/g,
		/^([ \t]*)#(?:error|warning)\(.*\)/gm,
		/(^|[^\w#"])#(?=(?:expect|require|URL|Predicate|stringify)\()/gm,
		/^()#(?=[A-Z]\w*[ \t]*(?:\([^()\n]*\)[ \t]*)?\{)/gm,
	],
	readAs: [
		/**
		 * `if` and `switch` as expressions, which the grammar knows only as statements: `let a = if b { 1 } else { 2 }`.
		 */
		{ at: /=(?=\s{0,80}(?:if|switch)[ \t])(?<=[\w)?>\]][ \t]=)/g, as: word("\n") },
		/** Raw strings, in which the grammar takes a backslash for an escape: `#"\"#`. */
		{ words: ['#"'], at: /#"(?!"")(?:(?!\\#)[^"\n]|"(?!#)){0,400}"#/g, as: quoted },
		{ at: /[ \t](?=(?:if|switch)[ \t])(?<=\breturn[ \t])/g, as: word("\n") },
		/** The grammar takes it for the call of a function. */
		{ at: /\bdefer(?=[ \t]*\{)/g, as: word("do") },
		/** `Store.Box<Int>(x)`, which the grammar takes for comparisons. */
		{ at: /\.(?=(?:\w{1,80}\.){0,4}[A-Z]\w{0,80}<[^<>()\n]{1,80}>\((?!\)))(?<=\b[A-Z]\w{0,80}\.)/g, as: word("_") },
		/** Shows the grammar a function in place of `macro name() = #externalMacro(…)`. */
		{ at: /=\s*#externalMacro\([^()]{0,300}\)/g, as: body },
		{
			at: /\bmacro(?=[ \t]+\w+[ \t]*[(<])(?<=^[ \t]*(?:@\w+(?:\([^()\n]{0,80}\))?[ \t]+)*(?:(?:public|package|internal|private|fileprivate)[ \t]+)?macro)/gm,
			as: word("func"),
		},
	],
	comments: ["comment", "multiline_comment"],
	modifiers: ["modifiers"],
	decorators: ["attribute"],
	bodies: ["computed_property"],
	parameters: ["parameter"],
	visibility: {
		unmarked: "internal",
		keywords: { public: "public", open: "public", private: "private", fileprivate: "private", internal: "internal" },
	},
	exported: "public",
	extends: ["inheritance_specifier"],
	targetLists: ["pattern"],
	wordNodes: ["throw_keyword"],
	quote: "`",
	notVariables: ["self", "fallthrough"],
	identifiers: ["simple_identifier"],
	typeIdentifiers: ["type_identifier"],
	nameFields: ["name", "suffix", "external_name", "bound_identifier"],
	nameParents: ["parameter", "identifier", "value_argument_label", "enum_type_parameters"],
	labelParents: ["pattern"],
	memberMark: ".",
	jumpLabels: true,
	calls: { call_expression: ["@first"] },
	subscriptCalls: true,
	observers: ["willSet", "didSet"],
	/** `Array<Int>(x)`. */
	constructs: { constructor_expression: ["constructed_type"] },
	lambdas: ["lambda_literal"],
	assignments: {
		property_declaration: { left: "name", right: "value", declares: true, several: true },
		assignment: { left: "target", right: "result" },
		for_statement: { left: "item" },
		pattern: { left: "bound_identifier|@simple_identifier", binder: "value_binding_pattern" },
		guard_statement: { left: "bound_identifier", right: "@after '='", declares: true, several: true },
		if_statement: { left: "bound_identifier", right: "@after '='", declares: true, several: true },
		while_statement: { left: "bound_identifier", right: "@after '='", declares: true, several: true },
	},
	members: ["navigation_expression"],
	mutators: ["append", "insert", "remove", "removeAll", "removeLast", "sort", "updateValue", "popLast"],
	throws: ["control_transfer_statement:throw"],
	returns: ["control_transfer_statement:return"],
	breaks: ["control_transfer_statement:break"],
	continues: ["control_transfer_statement:continue"],
	awaits: ["await_expression", "'await'"],
	awaited: { for_statement: "collection" },
	branches: ["if_statement", "guard_statement", "switch_entry:!default", "catch_block", "ternary_expression"],
	loops: ["for_statement", "while_statement", "repeat_while_statement"],
	literals: {
		line_string_literal: "String",
		integer_literal: "Int",
		real_literal: "Double",
		boolean_literal: "Bool",
		array_literal: "Array",
		dictionary_literal: "Dictionary",
	},
	capitalCallsConstruct: true,
	imports: { import_declaration: "@identifier" },
};
