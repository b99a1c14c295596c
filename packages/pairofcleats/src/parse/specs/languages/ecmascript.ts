import type { ChunkKind } from "../../chunk.ts";
import { having, word } from "../readAs.ts";
import type { DefinitionRule } from "../rules.ts";
import type { GrammarSpec } from "../spec.ts";

const FUNCTION_VALUES: Readonly<Record<string, ChunkKind>> = {
	arrow_function: "function",
	function_expression: "function",
	generator_function: "function",
	class: "class",
};
const METHOD_VALUES: Readonly<Record<string, ChunkKind>> = {
	...FUNCTION_VALUES,
	arrow_function: "method",
	function_expression: "method",
};
const RESULT = { result: "return_type" } as const;

const definitions: Readonly<Record<string, DefinitionRule>> = {
	function_declaration: { kind: "function" },
	generator_function_declaration: { kind: "function" },
	function_expression: { kind: "function", requires: "name" },
	generator_function: { kind: "function", requires: "name" },
	class_declaration: { kind: "class", container: true },
	method_definition: { kind: "method", constructorNames: ["constructor"] },
	variable_declarator: {
		kind: "variable",
		small: true,
		value: {
			field: "value",
			kinds: FUNCTION_VALUES,
			through: ["memo", "React.memo", "forwardRef", "React.forwardRef", "useCallback", "observer"],
		},
	},
	assignment_expression: {
		kind: "function",
		name: "left",
		value: { field: "right", kinds: FUNCTION_VALUES, only: true },
	},
	export_statement: {
		kind: "function",
		name: "@'default'",
		value: { field: "value", kinds: FUNCTION_VALUES, only: true },
	},
	pair: { kind: "method", name: "key", value: { field: "value", kinds: METHOD_VALUES, only: true } },
};

const base = {
	wrappers: ["export_statement", "lexical_declaration", "variable_declaration", "expression_statement"],
	comments: ["comment", "html_comment"],
	modifiers: ["class_heritage"],
	decorators: ["decorator"],
	exported: { wrapper: "export_statement" },
	exportNames: ["export_clause", "namespace_export", "export_statement:export default", "export_statement:export ="],
	exportTargets: ["module.exports", "exports"],
	patterns: ["object_pattern", "array_pattern"],
	identifiers: [
		"identifier",
		"shorthand_property_identifier",
		"shorthand_property_identifier_pattern",
		"private_property_identifier",
	],
	nameFields: ["name", "alias", "property", "label"],
	nameParents: [
		"formal_parameters",
		"import_specifier",
		"import_clause",
		"namespace_import",
		"namespace_export",
		"object_pattern",
		"array_pattern",
		"rest_pattern",
	],
	valueBodies: { arrow_function: ["statement_block"] },
	nameUnder: {
		assignment_pattern: "left",
		object_assignment_pattern: "left",
		pair_pattern: "value",
		catch_clause: "parameter",
		arrow_function: "parameter",
	},
	calls: { call_expression: ["function"] },
	constructs: { new_expression: ["constructor"] },
	lambdas: ["arrow_function", "function_expression", "generator_function", "function_declaration", "method_definition"],
	assignments: {
		assignment_expression: { left: "left", right: "right" },
		augmented_assignment_expression: { left: "left", right: "right", update: true },
		update_expression: { left: "argument", update: true },
		variable_declarator: { left: "name", right: "value", declares: true },
		for_in_statement: { left: "left" },
	},
	members: ["member_expression"],
	indexes: ["subscript_expression"],
	mutators: ["push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "set", "add", "delete", "clear"],
	keyed: ["pair"],
	deletes: ["unary_expression:delete"],
	throws: ["throw_statement"],
	awaits: ["await_expression", "'await'"],
	/** The grammar reads `await using a = b()` as an assignment. */
	awaited: { for_in_statement: "right", assignment_expression: "right" },
	returns: ["return_statement"],
	yields: ["yield_expression"],
	branches: ["if_statement", "switch_case", "catch_clause", "ternary_expression"],
	loops: ["for_statement", "for_in_statement", "while_statement", "do_statement"],
	breaks: ["break_statement"],
	continues: ["continue_statement"],
	literals: {
		string: "string",
		template_string: "string",
		number: "number",
		true: "boolean",
		false: "boolean",
		array: "array",
		object: "object",
		regex: "RegExp",
		null: "null",
	},
	imports: { import_statement: "source", export_statement: "source" },
	importCalls: ["require", "import", "require.resolve"],
	testCalls: {
		call: "call_expression",
		groups: ["describe", "suite", "context"],
		cases: ["it", "test", "specify", "bench", "verifies"],
		titles: ["string", "template_string"],
	},
} as const satisfies Partial<GrammarSpec>;

/** Using a component in JSX counts as constructing it. */
const COMPONENTS = { jsx_opening_element: ["name"], jsx_self_closing_element: ["name"] } as const;

const WITH_ATTRIBUTES = [...base.keyed, "jsx_attribute"] as const;

/** Newer than the grammar: `static accessor count = 1`. */
const ACCESSOR = having(
	["accessor"],
	/()\baccessor(?=[ \t]+[#\w$]+[ \t]*(?:[=;:!?\n]|$))(?<=^[ \t]*(?:@[\w.]+(?:\([^()\n]*\))?[ \t]+)*(?:(?:public|private|protected|static|override|declare|abstract)[ \t]+)*accessor)/gm,
);

export const JAVASCRIPT: GrammarSpec = {
	...base,
	blanks: [ACCESSOR],
	assignedFields: /^this\.(#?[\w$]+)$/,
	keyed: WITH_ATTRIBUTES,
	constructs: { ...base.constructs, ...COMPONENTS },
	definitions: {
		...definitions,
		field_definition: {
			kind: "property",
			name: "property",
			small: true,
			value: { field: "value", kinds: METHOD_VALUES },
		},
	},
	modifiers: [],
	extends: ["class_heritage"],
	visibility: { unmarked: "public", byName: "underscore" },
};

/** `constructor(private name: string)` */
const PARAMETER_PROPERTY: DefinitionRule = {
	kind: "property",
	name: "pattern",
	small: true,
	member: true,
	requires: "@accessibility_modifier|@'readonly'",
};

export const TYPESCRIPT: GrammarSpec = {
	...base,
	/** Newer than the grammar: `interface Source<out T>`, `export type * from "a"`, `import defer * as b from "b"`. */
	blanks: [
		ACCESSOR,
		having(["type *"], /(^[ \t]*export[ \t]+)type(?=[ \t]+\*)/gm),
		having(["defer *"], /(^[ \t]*import[ \t]+)defer(?=[ \t]+\*)/gm),
		/([<,]\s*)(?:in\s+out|in|out)(?=\s+[A-Z]\w*\s*(?:[,>=]|extends\b))/g,
		having([">`"], /([\w)])<(?![\w.]+>)(?:[^<>`;(){}=]|\{[^{}`]{0,400}\}|<[^<>`;]{0,80}>){1,400}>(?=`)/g),
	],
	/** Types before a template, which the grammar takes for comparisons, as an argument: sql<User>`…`. */
	readAs: [
		{ words: [">`"], at: /<(?=[\w.]{1,80}>`)(?<=[\w)]<)/g, as: word("(") },
		{ words: [">`"], at: />(?=`)(?<=[\w)]\([\w.]{1,80}>)/g, as: word(")") },
	],
	definitions: {
		...Object.fromEntries(Object.entries(definitions).map(([type, rule]) => [type, { ...rule, ...RESULT }])),
		abstract_class_declaration: { kind: "class", container: true },
		interface_declaration: { kind: "interface" },
		type_alias_declaration: { kind: "type" },
		enum_declaration: { kind: "enum" },
		internal_module: { kind: "module", container: true },
		module: { kind: "module", container: true },
		function_signature: { kind: "function", ...RESULT },
		method_signature: { kind: "method", small: true, constructorNames: ["constructor"], ...RESULT },
		abstract_method_signature: { kind: "method", small: true, constructorNames: ["constructor"], ...RESULT },
		public_field_definition: {
			kind: "property",
			small: true,
			value: { field: "value", kinds: METHOD_VALUES },
			...RESULT,
		},
		property_signature: { kind: "property", small: true, inType: true },
		enum_assignment: { kind: "property", small: true },
		property_identifier: { kind: "property", name: "@self", small: true, under: ["enum_body"] },
		required_parameter: PARAMETER_PROPERTY,
		optional_parameter: PARAMETER_PROPERTY,
	},
	wrappers: [...base.wrappers, "ambient_declaration"],
	extends: ["extends_clause", "extends_type_clause"],
	implements: ["implements_clause"],
	visibility: { unmarked: "public", keywords: { private: "private", protected: "protected", public: "public" } },
	typeIdentifiers: ["type_identifier"],
	erasesTypes: true,
	imports: { ...base.imports, import_require_clause: "source" },
	typesWithin: ["type_query"],
	typeParents: ["generic_type", "nested_type_identifier"],
	nameParents: [...base.nameParents, "import_require_clause"],
	nameUnder: { ...base.nameUnder, required_parameter: "pattern", optional_parameter: "pattern" },
};

export const TSX: GrammarSpec = {
	...TYPESCRIPT,
	keyed: WITH_ATTRIBUTES,
	constructs: { ...base.constructs, ...COMPONENTS },
};
