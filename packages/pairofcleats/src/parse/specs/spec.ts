import type { ChunkKind } from "../chunk.ts";
import type { Blank, ReadAs } from "./readAs.ts";
import type { AssignmentRule, DefinitionRule, FillRule, VisibilityRule } from "./rules.ts";

/**
 * The meaning of a language's syntax tree, as data: from node types and fields to definitions and facts. One extractor
 * reads all languages. A node type in single quotes is a token (`'async'`), any other is a named node. As a field,
 * `@first` and `@last` mean the first and last named child, `@self` the node itself, `@type` the first child of that type,
 * `@after 'token'` and `@before 'token'` the named child next to a token, `@after first` the second named child; `a/b`
 * is `b` of `a`, `a|b` is `a`, or `b` if there is no `a`. Among the types of a fact, `type:word` applies only when the node's text begins with that word,
 * `type:!word` only when it does not.
 */
export type GrammarSpec = {
	readonly definitions: Readonly<Record<string, DefinitionRule>>;
	/** Nodes around a single definition that contribute their range, modifiers and decorators to it. */
	readonly wrappers?: readonly string[];
	readonly comments: readonly string[];
	/** Macros that the grammar takes for names, and syntax that is too new for it. */
	readonly blanks?: readonly Blank[];
	/**
	 * Several decorators in a row, captured as the first, the others, and the words up to the declaration; the others are
	 * blanked out.
	 */
	readonly hiddenDecorators?: RegExp;
	/** A quoted title before a body, captured as indentation, quote and text; parsed as a function name. */
	readonly titles?: RegExp;
	/** Text that is replaced for parsing by something the grammar knows; the stored text stays the original. */
	readonly readAs?: readonly ReadAs[];
	/** Whether the contents of here-documents are hidden from the parser. */
	readonly hereDocuments?: true;
	/** Whether C preprocessor conditionals that split statements are blanked before parsing. */
	readonly conditions?: true;
	/**
	 * The line that opens a macro, with or before its brace, and what its first inner line looks like if the macro
	 * contains declarations.
	 */
	readonly wrappingMacros?: { readonly opening: RegExp; readonly declaration: RegExp };
	/** Node type of a macro's arguments, which are plain tokens: a name before another such node counts as called. */
	readonly tokenTrees?: string;
	/** Nodes whose children are modifiers or decorators. */
	readonly modifiers?: readonly string[];
	/** Nodes that are decorators, annotations or attributes. */
	readonly decorators?: readonly string[];
	/** Body nodes, for grammars without a `body` field; a signature ends where the body begins. */
	readonly bodies?: readonly string[];
	/** Parameter lists, for grammars without a `parameters` field; empty if functions have no parameter list. */
	readonly parameters?: readonly string[];
	/**
	 * For Lisps, where everything is nested lists without meaningful fields: imports are lists of lists, and a function can
	 * have several parameter lists, each in a list with its body.
	 */
	readonly forms?: true;
	readonly visibility?: VisibilityRule;
	/** What makes a definition exported: a wrapper node, or being public at the top of its file. */
	readonly exported?: { readonly wrapper: string } | "public";
	/** In a file with such a unit, only what is in such a wrapper is exported: C++'s modules. */
	readonly exportedIn?: { readonly unit: string; readonly wrapper: string };
	/** Decorators that make a definition exported: Rust's `#[macro_export]`. */
	readonly exportDecorators?: readonly string[];
	/** Lists of names exported elsewhere in the file: `export { a }`. */
	readonly exportNames?: readonly string[];
	/** Assignment targets whose values are exported: `module.exports = { a, b }`, `exports.a = 1`. */
	readonly exportTargets?: readonly string[];
	readonly extends?: readonly string[];
	/** The ancestors are named by statements in a container, after these words: Perl's `use parent "Base";`. */
	readonly ancestorsAfter?: RegExp;
	/** The ancestors are the arguments of these types of calls among `extends`: Ruby's `include Comparable`. */
	readonly mixins?: readonly string[];
	readonly implements?: readonly string[];
	/** Field whose node names an implemented type, for grammars where its node type does not tell. */
	readonly implementsField?: string;
	/** How a decorator that documents its definition begins: Elixir's `@doc "…"`. */
	readonly docDecorators?: RegExp;
	/** A string as the first statement of a body documents it. */
	readonly docstrings?: { readonly statement: string; readonly string: string };

	/** Node types that name values, and node types that name types. */
	readonly identifiers: readonly string[];
	readonly typeIdentifiers?: readonly string[];
	/** What stands in the place of a type's name and is none: `class` of PHP's `Store::class`, `?` of Scala's `List[?]`. */
	readonly notTypes?: readonly string[];
	/** Words that the grammar may take for variables: `self` of Swift's `guard let self else`, `fallthrough`. */
	readonly notVariables?: readonly string[];
	/** Prefix of every variable that is not part of its name. */
	readonly sigil?: string;
	/** What may stand around a name and is not part of it: the backticks of Swift's `` `default` ``. */
	readonly quote?: string;
	/** Fields in which an identifier is a label or member name, which does not read a variable. */
	readonly nameFields?: readonly string[];
	/** Parents under which an identifier does not read a variable. */
	readonly nameParents?: readonly string[];
	/** Nodes in which all names are type names, regardless of nesting: Python's annotations. */
	readonly typesWithin?: readonly string[];
	/** Like `nameParents`, but for one field of the parent: `left` of a pattern with a default; null is no field. */
	readonly nameUnder?: Readonly<Record<string, string | null>>;
	/** Parents of `nameParents` in which a name behind `=` is a value: Kotlin's `class A(val size: Int = LIMIT)`. */
	readonly defaultParents?: readonly string[];
	/** Parents in whose patterns a capitalised name is a value: `case None =>` in Scala. */
	readonly stablePatterns?: readonly string[];
	/** Parents in which a name before `=` is a label: Kotlin's `f(name = value)`. */
	readonly labelParents?: readonly string[];
	/** Pairs of a key and a value, where a name is the key of a field unless the literal is of one of these types. */
	readonly fieldKeys?: { readonly pair: string; readonly keyed: readonly string[] };
	/** Lists in which a name before `=` is a member of what is created: C#'s `new User { Name = name }`. */
	readonly initializers?: readonly string[];
	/** A name after `break` or `continue` is the label of a loop. */
	readonly jumpLabels?: true;
	/** What stands right before a name that is a member: `.` of Swift's `align(.left)`, `::` of Java's `Item::name`. */
	readonly memberMark?: string;
	/** Parents and fields under which a name is a type: it counts as used but not as a variable read. */
	readonly typeParents?: readonly string[];
	readonly typeFields?: readonly string[];

	/** Call → the fields that span what is called. */
	readonly calls?: Readonly<Record<string, readonly string[]>>;
	/** Fields of patterns, in which the form of a call takes a value apart: Haskell's `f (Just x) = …`. */
	readonly patternFields?: readonly string[];
	/** What stands before the form of a call that is none: the `@` of Elixir's `@limit 10`. */
	readonly attributeMark?: string;
	/** Calls without parentheses that only read a member: Elixir's `user.id`, but not `Repo.all`. */
	readonly memberCalls?: RegExp;
	/** The grammar makes `list[0]` a call of `list`. */
	readonly subscriptCalls?: true;
	/** Type arguments in square brackets at the end of a callee, told from an index by how types are named. */
	readonly typeArguments?: RegExp;
	/** Words that open a block and look like calls of functions: Swift's `didSet { … }`. */
	readonly observers?: readonly string[];
	/** Calls written without a name → the name recorded for them. */
	readonly namedCalls?: Readonly<Record<string, string>>;
	/** Object creation → the fields that span the class. */
	readonly constructs?: Readonly<Record<string, readonly string[]>>;
	/** The name of the only parameter of a function expression that has no parameter list: Kotlin's `it`. */
	readonly impliedParameter?: string;
	/** Function expressions; a `return` inside them does not return from the enclosing definition. */
	readonly lambdas?: readonly string[];
	/**
	 * Assignment → its fields. `update` marks nodes for `+=` and `++` alone, which read as well; a node that contains such
	 * a token is recognised by it.
	 */
	readonly assignments?: Readonly<Record<string, AssignmentRule>>;
	/** How an assignment in a constructor names a field of its object, whose name is captured: `self.name`. */
	readonly assignedFields?: RegExp;
	/** Lists of targets that are assigned together, possibly nested: `a, (b, c) = d`. */
	readonly targetLists?: readonly string[];
	/** Destructuring patterns in place of a definition's name: `const { a, b: c } = d` defines `a` and `c`. */
	readonly patterns?: readonly string[];
	/** Value lists, which can also have a single element. */
	readonly valueLists?: readonly string[];
	readonly members?: readonly string[];
	/** Names after others that are no places to assign to; the last one is used: `Red` of Rust's `Color::Red`. */
	readonly paths?: readonly string[];
	readonly indexes?: readonly string[];
	/** Methods that modify their receiver. */
	readonly mutators?: readonly string[];
	/** Functions, by their last or their whole name, that write their other arguments into the first: `sprintf(line, "%s", name)`. */
	readonly copiers?: readonly string[];
	/** Commands that put values into variables given by name: Bash's `read line`. */
	readonly fills?: Readonly<Record<string, FillRule>>;
	/** Nodes of a key and the value it is given: `{ a: b }` in JavaScript. */
	readonly keyed?: readonly string[];
	/** A cast that converts its value: PHP's `(int) $id`. */
	readonly cast?: string;
	/** Types are not there when a program runs, so a parameter may hold anything. */
	readonly erasesTypes?: true;
	readonly deletes?: readonly string[];
	readonly throws?: readonly string[];
	/** Calls that throw their argument: Ruby's `raise`. */
	readonly throwCalls?: readonly string[];
	readonly awaits?: readonly string[];
	/** Statements that await if such a token is in them → what they await: `await foreach (… in items)`. */
	readonly awaited?: Readonly<Record<string, string>>;
	/** The modifier of asynchronous functions, if it is not `async`. */
	readonly asyncWord?: string;
	/** A function without a modifier is asynchronous if it contains an await. */
	readonly awaitIsAsync?: true;
	readonly returns?: readonly string[];
	/**
	 * A function returns its last statement: the node of its statements, and the types or called names of those that have
	 * no value. Without statements there is no such node, and the function is no mere signature.
	 */
	readonly lastIsResult?: { readonly statements: string; readonly valueless: readonly string[] };
	readonly yields?: readonly string[];
	readonly branches?: readonly string[];
	readonly loops?: readonly string[];
	readonly breaks?: readonly string[];
	readonly continues?: readonly string[];
	/** Literal → the type inferred for the variable it is assigned to. */
	readonly literals?: Readonly<Record<string, string>>;
	/** A number may end with its type: `5u64`. */
	readonly typedNumbers?: true;
	/** `Name(…)` creates an object, for languages that call classes by their capitalised name. */
	readonly capitalCallsConstruct?: true;
	/** Import → the field with the module's name; empty for the whole statement. */
	readonly imports?: Readonly<Record<string, string>>;
	/** Functions that import what their first string argument names. */
	readonly importCalls?: readonly string[];
	/** The argument may be unquoted: R's `library(dplyr)`. */
	readonly importsByName?: true;
	/** Functions whose call with a title and a body is a test or a group of tests. */
	readonly testCalls?: {
		readonly call: string;
		readonly groups: readonly string[];
		readonly cases: readonly string[];
		/** Nodes that can be the title; a group can also be named by the class it tests. */
		readonly titles: readonly string[];
		readonly groupTitles?: readonly string[];
		/** Nodes that can be the body, besides function expressions. */
		readonly bodies?: readonly string[];
	};
	/** Macros that turn the block after them into a test named by their arguments: `TEST(Suite, name)`. */
	readonly testMacros?: readonly string[];
	/**
	 * Calls that define the names given as symbols or texts: Ruby's `attr_reader :name`, PHP's `define('NAME', 1)`. For
	 * those in `first`, only the first one counts.
	 */
	readonly symbolCalls?: {
		readonly symbol: string;
		readonly kinds: Readonly<Record<string, ChunkKind>>;
		readonly first: readonly string[];
	};
	/** Calls that define what their first argument names, with their block as its body: Ruby's `define_method`. */
	readonly definingCalls?: { readonly kind: ChunkKind; readonly names: readonly string[] };
	/** Names that stand for calls without arguments, where any other name may be a variable: Ruby's `raise`. */
	readonly bareCalls?: readonly string[];
	/**
	 * Macros whose text declares items that the grammar does not parse, found by the keyword before each name: `bitflags!
	 * { … }`.
	 */
	readonly macroItems?: {
		readonly call: string;
		readonly items: RegExp;
		readonly kinds: Readonly<Record<string, ChunkKind>>;
	};
	/** Keywords that the grammar makes named nodes, and that must not be taken for names next to them. */
	readonly wordNodes?: readonly string[];
	/** C's declarator nodes between a declaration and its name. */
	readonly declarators?: {
		/** Nodes whose first child is part of the type: `*` of `char *name`. */
		readonly marks: readonly string[];
		/** Nodes that contain the next declarator as a plain child, without a field. */
		readonly bare: readonly string[];
		/** A name that looks like another declarator: `operator bool()`. */
		readonly last?: string;
	};
	/** A dot or colon is part of a name, and a dash is part of a callee. */
	readonly wholeNames?: true;
	/** A trailing `!` or `?` is part of the name. */
	readonly markedNames?: true;
	/** Elements that contain another language; the first matching rule applies. */
	readonly embedded?: readonly EmbeddedRule[];
	/** Functions whose body is the returned value, unless the body is one of these nodes: `x => x + 1`. */
	readonly valueBodies?: Readonly<Record<string, readonly string[]>>;
};

/** An element that contains another language if its tag matches. */
export type EmbeddedRule = {
	readonly element: string;
	readonly tag: RegExp;
	readonly grammar: string;
	readonly language: string;
};
