import { type Blank, blank, having, word } from "../readAs.ts";
import type { GrammarSpec } from "../spec.ts";

/**
 * Macros in capitals that the grammar mistakes for names: `class CORE_API Name : Base {`, `int at(int i) const
 * LIFETIME_BOUND {`, `CORE_API int open(…)`, `const T& x LIFETIME_BOUND)`, and `NAMESPACE_BEGIN` on a line of its own.
 */
const ATTRIBUTE_MACROS: readonly Blank[] = [
	/^()[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:[ \t]+[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([\w, ]{0,40}\))?)+[ \t]*$(?=\n[ \t]*[a-z])/gm,
	/\b((?:class|struct|union)[ \t]+)(?:[A-Z][A-Z0-9_]{2,}(?:\([^()\n]{0,200}\))?[ \t]+)+(?:\[\[\w+\]\][ \t]+)?(?=[A-Za-z_][\w:]*(?:[ \t]+final)?\s*[:{])/g,
	/(\)[ \t]*(?:(?:const|noexcept|override|final)\s+)*)[A-Z][A-Z0-9_]{3,}(?:\([^()\n]{0,200}\))?(?=\s*\{)/g,
	/(\)[ \t]*(?:(?:const|noexcept|override|final)\s+)*)[A-Z][A-Z0-9]*_[A-Z0-9_]+(?=[ \t]*;)/g,
	// After a declaration that continues on the next line, a call would look the same, so only well-known words match.
	having(
		[
			"PRINTF",
			"UNUSED",
			"DEPRECATED",
			"ATTR",
			"NORETURN",
			"NONNULL",
			"SENTINEL",
			"LOCK",
			"THREAD_SAFETY",
			"LIFETIME_BOUND",
		],
		/(\)\s*(?:(?:const|noexcept|override|final)\s+)*)[A-Z0-9_]{0,40}(?:PRINTF|UNUSED|DEPRECATED|ATTR|NORETURN|NONNULL|SENTINEL|LOCKS?_|THREAD_SAFETY|LIFETIME_BOUND)[A-Z0-9_]{0,40}(?:\([\w, .>&*!-]{0,80}\))?(?=\s*(?:[;{]|:[^:]))/g,
	),
	// Calling conventions, right before the function name.
	having(
		["WINAPI", "CALLBACK", "APIENTRY", "_STDCALL"],
		/([ \t])(?:WINAPI|CALLBACK|APIENTRY|[A-Z]{0,20}_STDCALL)(?=[ \t]+\w+[ \t]*\()/g,
	),
	/^([ \t]*(?:\[\[[^\]\n]{0,80}\]\][ \t]*)?)(?:(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([^()\n]{0,200}\))?|[A-Z]{3,40}\("[^"\n]{0,200}"\))[ \t]+)+(?=(?:[A-Za-z_][\w:]*(?:<(?:[^<>()\n;{}]|<[^<>()\n;{}]{0,80}>){0,80}>[\w:]*)?[ \t*&]+){1,6}(?:[A-Za-z_~][\w:]*[ \t]*[(;=[]|operator\b))/gm,
	// Before a destructor, or a constructor defined outside its class.
	/^([ \t]*)(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]+)+(?=~\w+[ \t]*\(|(?:\w+::){0,6}(\w+)::~?\2[ \t]*\()/gm,
	/^([ \t]+)(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]+)+(?=(?:explicit[ \t]+)?[a-z_]\w*\((?:[^()\n;{}]|\([^()\n]*\)){0,200}\)\s*(?:noexcept\s*)?:\s*\w+[({])/gm,
	/^((?:(?:static|extern|inline)[ \t]+)+)[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]+(?=(?:(?:const|struct|unsigned|enum)[ \t]+)*[A-Za-z_]\w*[ \t*&]+[A-Za-z_]\w*\()/gm,
	/^()[A-Z][A-Z0-9]{3,}[ \t]+(?=(?:(?:const|struct|unsigned|enum|static)[ \t]+)*(?=[A-Z0-9_]*[a-z])[A-Za-z_]\w*[ \t*&]+[A-Za-z_]\w*\()/gm,
	// After the name of a parameter or variable, or after a pointer's `*`; not after a directive, whose last word is none.
	/\b(?=[A-Z][A-Z0-9]*_)(?=[A-Z0-9_]+(?:\(\w*\))?[ \t]*[,)]|[A-Z0-9_]{0,40}(?:GUARDED_BY|ATTRIBUTE_|EXPLICIT_INIT|ALIGN\d))(?<=\b(?!(?:struct|union|enum|class|const|volatile|unsigned|signed|typename|return|else|new|delete|case|register|long|short|int|char|bool|float|double|auto|static)\b)[A-Za-z_]\w*\s+)(?<!(?:^|\n)[ \t]*#[^\n]*\n\s*)()(?:[A-Z0-9]+_[A-Z0-9_]+(?:\(\w*\))?(?=[ \t]*[,)])|[A-Z0-9_]{0,40}(?:GUARDED_BY|ATTRIBUTE_[A-Z_]{1,40}|EXPLICIT_INIT|ALIGN\d+)(?:\((?:[^()\n]|\([^()\n]*\)){0,120}\))?(?=\s*[=;{]))/g,
	having(["DEPRECATED("], /()\b[A-Z0-9_]{0,40}DEPRECATED\(\s*[\w.]+,\s*"[^"\n]*"\)(?=\s*[=,}]|\s*\n[A-Za-z_]\w*\()/g),
	// Between a type and the name, or after the body of a struct.
	having(
		["INLINE", "ATTRIBUTE_"],
		/()\b(?=[A-Z0-9_]{0,40}(?:NOINLINE|ALWAYS_INLINE|FORCE_?INLINE|ATTRIBUTE_[A-Z_]{1,40})[ \t]+[A-Za-z_~][\w:]*[ \t]*\()(?<=[\w>*&][ \t]{0,40})(?<!#[ \t]{0,20}define[ \t]{1,40})[A-Z0-9_]+/g,
	),
	// Between the head of a template and its declaration, or before a declaration's first word.
	having(
		["()\n"],
		/^([ \t]*)[A-Z][A-Z0-9]*_[A-Z0-9_]+\(\)[ \t]*$(?:(?=\n[ \t]*(?:inline|static|constexpr|explicit|virtual|template)\b)|(?<=\btemplate[ \t]*<[^\n]{0,300}>[ \t]*\n[^\n]*))/gm,
	),
	having(["PACK"], /^([ \t]*\}[ \t]*)(?:[A-Z0-9_]{0,40}PACK(?:ED)?)(?=[ \t]*;)/gm),
	// When the type is on one line and the name on the next.
	/^([ \t]*)[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([^()\n]{0,200}\))?[ \t]+(?=[A-Za-z_][\w:<>, ]{0,120}[ \t*&]*\n[A-Za-z_~][\w:]*\()/gm,
	having(
		["_Null", "_Nonnull", "_nullab", "_nonnull"],
		/([*&][ \t]*)(?:_Nonnull|_Nullable|_Null_unspecified|\w+_(?:nonnull|nullable|nullability_unknown))\b/g,
	),
	/^()[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*$(?!\n[A-Za-z_][\w:~]*[ \t]*\(|\n[A-Z_]+\n)/gm,
	// In a class, after a member: not the last name of an enumeration.
	/^([ \t]+)[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*$(?=\s*\n\s*[A-Za-z~[/])(?<=[;{}][ \t]*(?:\/\/[^\n]*)?\n(?:[ \t]*(?:\/\/[^\n]*)?\n){0,12}[^\n]*)/gm,
	having(
		["DEPRECATED(", "ATTRIBUTE_"],
		/^([ \t]+)[A-Z0-9_]{0,40}(?:DEPRECATED|ATTRIBUTE_[A-Z_]{1,40})\("[^"\n]*"\)[ \t]*$(?=\n[ \t]*[A-Za-z[])/gm,
	),
	// Declaring macro calls without a semicolon, one below the other or before a blank line.
	/^()[A-Z][A-Z0-9]*_[A-Z0-9_]+\([^()\n;{}]{0,120}\)[ \t]*$(?=\n(?:\n|#|\/\/|[A-Z][A-Z0-9]*_[A-Z0-9_]+\())/gm,
	// Not macros but syntax unknown to the grammar: an unnamed parameter, a file name, a type as a function argument.
	having(["nullptr"], /([\w>])[ \t]*\*[ \t]*=[ \t]*nullptr(?=\s*[>,)])/g),
	having(
		["HAS_INCLUDE", "__has_include", "CPP_ATTRIBUTE("],
		/(?<!\bdefine[ \t]{1,20})(\b(?:__has_include|[A-Z][A-Z0-9_]{0,40}HA(?:S|VE)_(?:INCLUDE|CPP_ATTRIBUTE)))\([^)\n]{0,200}\)/g,
	),
	having(["_FLAG("], /^([A-Z][A-Z0-9]*_FLAG\()\s*[A-Za-z_][\w:<>]*,(?=\s*\w+\s*,)/gm),
	having(["va_arg("], /(\bva_arg\([^(),\n]{0,80}),[^()\n]{0,120}(?=\))/g),
];

const C_BASE = {
	comments: ["comment"],
	blanks: ATTRIBUTE_MACROS,
	/** GNU's ranges, shown as one value: `case 1 ... 3:`. */
	readAs: [{ words: ["..."], at: /\.\.\.(?=[^\n:;{}]{1,80}:)(?<=\bcase[ \t][^\n:;{}]{1,80}\.\.\.)/g, as: word("+") }],
	conditions: true,
	identifiers: ["identifier"],
	typeIdentifiers: ["type_identifier"],
	nameFields: ["name", "field", "label", "declarator"],
	nameParents: ["preproc_params"],
	declarators: { marks: ["pointer_declarator"], bare: ["parenthesized_declarator", "attributed_declarator"] },
	calls: { call_expression: ["function"] },
	assignments: {
		init_declarator: { left: "declarator", right: "value", declares: true },
		assignment_expression: { left: "left", right: "right" },
		update_expression: { left: "argument", update: true },
	},
	members: ["field_expression", "field_designator"],
	/** `*p = 1` modifies what `p` points to. */
	indexes: ["subscript_expression", "pointer_expression"],
	copiers: [
		"strcpy",
		"strncpy",
		"strlcpy",
		"stpcpy",
		"strcat",
		"strncat",
		"strlcat",
		"sprintf",
		"snprintf",
		"vsprintf",
		"vsnprintf",
		"memcpy",
		"memmove",
	],
	returns: ["return_statement"],
	branches: ["if_statement", "case_statement:case", "conditional_expression"],
	loops: ["for_statement", "while_statement", "do_statement"],
	breaks: ["break_statement"],
	continues: ["continue_statement"],
	literals: { string_literal: "char*", number_literal: "number", char_literal: "char", true: "bool", false: "bool" },
	imports: { preproc_include: "path" },
} as const satisfies Partial<GrammarSpec>;

const C_DEFINITIONS = {
	function_definition: { kind: "function", name: "declarator", result: "type" },
	struct_specifier: { kind: "struct", requires: "body" },
	union_specifier: { kind: "struct", requires: "body" },
	enum_specifier: { kind: "enum", requires: "body" },
	type_definition: { kind: "type", name: "declarator" },
	preproc_function_def: { kind: "macro" },
	/** Visible to the rest of the file, even when defined inside a function. */
	preproc_def: { kind: "constant", small: true, member: true },
	declaration: {
		kind: { byChild: { function_declarator: "function" }, otherwise: "variable" },
		name: "declarator",
		small: true,
	},
	field_declaration: {
		kind: { byChild: { function_declarator: "method" }, otherwise: "property" },
		name: "declarator",
		small: true,
		member: true,
	},
	enumerator: { kind: "property", small: true, member: true },
} as const satisfies GrammarSpec["definitions"];

export const C: GrammarSpec = {
	...C_BASE,
	definitions: C_DEFINITIONS,
	visibility: { unmarked: "public", keywords: { static: "private" } },
	exported: "public",
};

export const CPP: GrammarSpec = {
	...C_BASE,
	definitions: {
		...C_DEFINITIONS,
		function_definition: {
			kind: "function",
			name: "declarator",
			result: "declarator/@trailing_return_type|type",
		},
		declaration: {
			...C_DEFINITIONS.declaration,
			kind: { byChild: { function_declarator: "function", operator_cast: "function" }, otherwise: "variable" },
			value: { field: "declarator/value", kinds: { lambda_expression: "function" } },
			result: "declarator/@trailing_return_type",
		},
		field_declaration: {
			...C_DEFINITIONS.field_declaration,
			kind: { byChild: { function_declarator: "method", operator_cast: "method" }, otherwise: "property" },
		},
		struct_specifier: { kind: "struct", requires: "body", container: true, memberVisibility: "public" },
		class_specifier: { kind: "class", requires: "body", container: true, memberVisibility: "private" },
		namespace_definition: { kind: "module", container: true },
		alias_declaration: { kind: "type" },
		concept_definition: { kind: "type" },
		module_declaration: { kind: "module", small: true, whole: true },
	},
	declarators: {
		marks: ["pointer_declarator", "reference_declarator"],
		bare: ["reference_declarator", "parenthesized_declarator", "variadic_declarator", "attributed_declarator"],
		last: "operator_cast",
	},
	/** A value of a nested template is otherwise taken for comparisons: `a<T>::value && is_same_v<A, std::allocator<T>>`. */
	readAs: [
		...C_BASE.readAs,
		{ words: ["_v<"], at: /(?=<)(?<=\b\w{1,80}_v<[^<>();{}]{0,200})<[^<>();{}]{1,200}>(?=\s*>)/g, as: blank },
		/** The further names of `using a::b, c::d;`, which the grammar does not know. */
		{
			words: ["using "],
			at: /,(?<=\busing\s{1,8}(?:typename\s{1,8})?[\w:]{1,200}(?:<[^<>;]{0,200}>[\w:]{0,200})?\s{0,8},)[^;{}=]{1,400}(?=;)/g,
			as: blank,
		},
		/** A default value that the grammar does not know: `void open(Options options = {})`. */
		{ at: /=[ \t]*\{\}(?=\s*[,)])/g, as: word("=0") },
		/** Newer than the grammar: `if consteval {`, shown as another condition. */
		{ words: ["consteval"], at: /!?\s?\bconsteval(?=\s{0,80}\{)(?<=\bif\s{1,8}!?\s?consteval)/g, as: word("(1)") },
	],
	wrappers: ["template_declaration", "linkage_specification", "export_declaration", "friend_declaration"],
	decorators: ["attribute_declaration"],
	testMacros: ["TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P", "BOOST_AUTO_TEST_CASE"],
	typeParents: ["template_type", "qualified_identifier"],
	paths: ["qualified_identifier"],
	visibility: {
		unmarked: "public",
		keywords: { public: "public", private: "private", protected: "protected", friend: "public" },
		outsideTypes: { static: "private" },
		sections: ["access_specifier"],
		hiding: ["namespace_definition"],
		declared: true,
	},
	exported: "public",
	exportedIn: { unit: "module_declaration", wrapper: "export_declaration" },
	extends: ["base_class_clause"],
	identifiers: [...C_BASE.identifiers, "namespace_identifier"],
	nameFields: [...C_BASE.nameFields, "scope"],
	nameParents: [
		...C_BASE.nameParents,
		"using_declaration",
		"module_name",
		"nested_namespace_specifier",
		"reference_declarator",
		"variadic_declarator",
		"structured_binding_declarator",
	],
	constructs: {
		new_expression: ["type"],
		compound_literal_expression: ["@type_identifier|@qualified_identifier|@template_type"],
	},
	lambdas: ["lambda_expression"],
	assignments: {
		...C_BASE.assignments,
		for_range_loop: { left: "declarator" },
		binary_expression: { left: "right", right: "left", operators: [">>"], begins: ["std::cin", "cin"] },
	},
	mutators: [
		"push_back",
		"emplace_back",
		"pop_back",
		"insert",
		"erase",
		"clear",
		"push",
		"pop",
		"emplace",
		"resize",
		"assign",
		"append",
	],
	deletes: ["delete_expression"],
	throws: ["throw_statement"],
	awaits: ["co_await_expression"],
	awaitIsAsync: true,
	yields: ["co_yield_statement"],
	branches: [...C_BASE.branches, "catch_clause"],
	loops: [...C_BASE.loops, "for_range_loop"],
	imports: { ...C_BASE.imports, using_declaration: "", import_declaration: "name|header|partition" },
};
