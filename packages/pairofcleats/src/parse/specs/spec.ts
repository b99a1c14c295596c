import type { ChunkKind } from "../chunk.ts";
import type { Blank } from "./blank.ts";
import type { ReadAs } from "./readAs.ts";

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
	readonly yields?: readonly string[];
	readonly branches?: readonly string[];
	readonly loops?: readonly string[];
	readonly breaks?: readonly string[];
	readonly continues?: readonly string[];
	/** Literal → the type inferred for the variable it is assigned to. */
	readonly literals?: Readonly<Record<string, string>>;
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

export type DefinitionRule = {
	/** A fixed kind, or the kind of the first child whose type or token is listed, else `otherwise`. */
	readonly kind: ChunkKind | { readonly byChild: Readonly<Record<string, ChunkKind>>; readonly otherwise: ChunkKind };
	/** Where the name is; `declarator` descends to the innermost one. Default `name`. */
	readonly name?: string;
	/** In a pattern, only nodes of this type are its names: the constants of Ruby's `A, b = 1, 2`. */
	readonly parts?: string;
	/** The name used if the name selector finds only a keyword: Kotlin's `companion object`. */
	readonly unnamed?: string;
	/** Members of the body become chunks of their own, qualified by this name. */
	readonly container?: true;
	/** Without this field, it has no lines of its own but owns all that follows it in the file: `namespace App;`. */
	readonly restWithout?: string;
	/** Without a body, it goes on until the next of its kind: Perl's `package Store;`. */
	readonly goesOn?: true;
	/** Shown as a symbol of the enclosing chunk unless it is long: constants, fields. */
	readonly small?: true;
	/** A definition only when it has this field or child: `struct foo { … }`, not `struct foo x`. */
	readonly requires?: string;
	/**
	 * Also a definition if the owner of the enclosing list matches this: the parameters of a record are its properties.
	 */
	readonly within?: string;
	/** A definition only directly before such a node: `LIMIT =>`. */
	readonly before?: string;
	/** A definition only directly below these: `assignment` at the top of a module. */
	readonly under?: readonly string[];
	/** The value decides the kind: `const f = () => …`. With `only`, it is not a definition without such a value. */
	readonly value?: {
		readonly field: string;
		readonly kinds: Readonly<Record<string, ChunkKind>>;
		readonly only?: true;
		/** Functions that return the function they are given: `memo(() => …)`. */
		readonly through?: readonly string[];
		/** Calls that create a type, with an optional block as its body: Ruby's `Struct.new(:a) do … end`. */
		readonly calls?: Readonly<Record<string, ChunkKind>>;
	};
	/**
	 * The kind without such a value, for entries of a list passed under one of these names: R's `public = list(size =
	 * 1)`.
	 */
	readonly listed?: { readonly kind: ChunkKind; readonly names: readonly string[] };
	/** Field with the declared result type. */
	readonly result?: string;
	/** Selects the type that the definition belongs to: Go's receiver. */
	readonly receiver?: string;
	/** Names that make the definition a constructor. */
	readonly constructorNames?: readonly string[];
	/** The dots in its name are a part of it, though not in other names: C++'s `module acme.store;`. */
	readonly whole?: true;
	/** What looks like its ancestor is the type of its values: C#'s `enum Kind : byte`. */
	readonly underlying?: true;
	/** A definition only in a named type, not in an inline type of a variable. */
	readonly inType?: true;
	/** Belongs to the type around the enclosing function: a constructor parameter that is also a property. */
	readonly member?: true;
	/** A definition only if its name matches. */
	readonly named?: RegExp;
	/** What the name is in the file, where the grammar was shown a part of it: C#'s `operator +=`. */
	readonly asWritten?: RegExp;
	/** Prepended to the name: `~` of a destructor. */
	readonly prefix?: string;
	/** Visibility of members without a modifier; `own` is that of the definition itself. */
	readonly memberVisibility?: Visibility | "own";
	/** `memberVisibility` applies only if it has this field: `impl Trait for Type`. */
	readonly visibleWith?: string;
	/** Visibility of constructors without a modifier, if it is not that of other members: Java's enums. */
	readonly constructorVisibility?: Visibility;
	/** The kind by the first word of the definition: Elixir's `def`. The empty key covers all other words. */
	readonly words?: Readonly<Record<string, ChunkKind>>;
	/** Words whose definitions are containers. */
	readonly containerWords?: readonly string[];
	/** Words whose definitions are small. */
	readonly smallWords?: readonly string[];
	/** The kind by the original word before the name, if `readAs` showed the grammar another word: Swift's `macro`. */
	readonly wordBefore?: Readonly<Record<string, ChunkKind>>;
	/** A directly following sibling that belongs to the definition: Dart's function body. */
	readonly tail?: string;
	/** All directly following siblings with the same name belong to it: the equations of a Haskell function. */
	readonly tailRepeats?: true;
	/** The kind if the name is a quoted title. */
	readonly titled?: ChunkKind;
	/** Nodes after the name that identify it, the last one being its own name: Terraform's `resource "type" "name"`. */
	readonly labels?: string;
	/** For HTML elements: named by `id`; without an `id`, only these tags are definitions. */
	readonly landmarks?: RegExp;
};

export type FillRule =
	/** The words are arithmetic, which may assign: `let n=1`. */
	| { readonly kind: "arithmetic" }
	| {
			readonly kind: "words";
			/** The letters of the options that a value follows. */
			readonly valued: string;
			/** The names of variables among the other words. */
			readonly from?: number;
			readonly to?: number;
	  }
	/** The name of a variable follows an option: `printf -v name`. */
	| { readonly kind: "option"; readonly option: string };

export type AssignmentRule = {
	readonly left: string;
	readonly right?: string;
	readonly update?: true;
	/** Introduces its name, so the name itself is not a read. */
	readonly declares?: true;
	/** An assignment only with one of these operators: `i++`, not `-i`. */
	readonly operators?: readonly string[];
	/** Like `operators`, if operators are in a field of their own: Scala's `+=`. */
	readonly operatorName?: RegExp;
	/** An assignment only if the text begins with one of these words: `cin >> name`. */
	readonly begins?: readonly string[];
	/** An assignment only if its left side matches: Python's `case name:`, not `case Color.RED:`. */
	readonly named?: RegExp;
	/** Everything in the field of `left` is a target: Go's `var a, b = 1, 2`. */
	readonly several?: true;
	/** Assigned by the call around it, which is two levels up: C#'s `out var name`. */
	readonly byCall?: true;
	/** Binds a name only after this node, in the pattern or in one around it: the `let` of Swift's `case .a(let b)`. */
	readonly binder?: string;
	/** No assignment right in one of `initializers`. */
	readonly initializes?: true;
	/** Modifies the value that the left side refers to instead of rebinding it: Ruby's `list << 1`. */
	readonly changes?: true;
};

export type VisibilityRule = {
	/** For a definition without a modifier. */
	readonly unmarked: Visibility;
	/** Modifier text → visibility. */
	readonly keywords?: Readonly<Record<string, Visibility>>;
	/** Derived from the name: a leading underscore, or a capital letter. */
	readonly byName?: "underscore" | "capital";
	/** Labels in a body that apply to everything after them: C++ `private:`, Ruby `private`. */
	readonly sections?: readonly string[];
	/** The definitions that these labels apply to, if not to all: not to `def self.name` in Ruby. */
	readonly sectioned?: readonly string[];
	/** Modifiers that count outside of types only: C++'s `static`. */
	readonly outsideTypes?: Readonly<Record<string, Visibility>>;
	/** Containers that, without a name, hide what they contain: C++'s `namespace {`. */
	readonly hiding?: readonly string[];
	/** A definition outside its type, `Store::save`, has the visibility of its declaration in the same file, or none. */
	readonly declared?: true;
};

export type Visibility = "public" | "protected" | "private" | "internal";
