/** Node types of a style sheet's tree. */
export const TYPES = [
	"stylesheet",
	"comment",
	"block",
	"rule_set",
	"selectors",
	"placeholder",
	"name",
	"mixin_statement",
	"function_statement",
	"parameters",
	"media_statement",
	"supports_statement",
	"query",
	"keyframes_statement",
	"keyframes_name",
	"at_statement",
	"declaration",
	"custom_property",
	"variable_name",
	"property_name",
	"include_statement",
	"identifier",
	"call_expression",
	"function_name",
	"variable_value",
	"return_statement",
	"if_statement",
	"for_statement",
	"each_statement",
	"while_statement",
	"import_statement",
	"string_value",
] as const;
export type TypeName = (typeof TYPES)[number];
export const ID = Object.fromEntries(TYPES.map((name, id) => [name, id])) as Readonly<Record<TypeName, number>>;

/** Node type by at-rule keyword. */
export const BY_WORD: Readonly<Record<string, TypeName>> = {
	mixin: "mixin_statement",
	function: "function_statement",
	media: "media_statement",
	supports: "supports_statement",
	keyframes: "keyframes_statement",
	include: "include_statement",
	return: "return_statement",
	if: "if_statement",
	for: "for_statement",
	each: "each_statement",
	while: "while_statement",
	use: "import_statement",
	forward: "import_statement",
	import: "import_statement",
};

/** The first part of an at-rule that gets a node of its own. */
export const HEADS: Readonly<Partial<Record<TypeName, { readonly type: TypeName; readonly pattern: RegExp }>>> = {
	mixin_statement: { type: "name", pattern: /[\w-]+/y },
	function_statement: { type: "name", pattern: /[\w-]+/y },
	include_statement: { type: "identifier", pattern: /[\w.-]+/y },
	keyframes_statement: { type: "keyframes_name", pattern: /[^\s{;]+/y },
	import_statement: { type: "string_value", pattern: /(?:\([^)]*\)\s*)?(?:url\(\s*)?("[^"]*"|'[^']*')/y },
};
