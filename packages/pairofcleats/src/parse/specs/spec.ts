import type { ChunkKind } from "../chunk.ts";
import type { ReadAs } from "./readAs.ts";

/**
 * The meaning of a language's syntax tree, as data: from node types and fields to definitions and facts. One extractor
 * reads all languages. A node type in single quotes is a token (`'async'`), any other is a named node. As a field,
 * `@first` and `@last` mean the first and last named child, `@self` the node itself, `@type` the first child of that type,
 * `@after 'token'` and `@before 'token'` the named child next to a token; `a/b` is `b` of `a`, `a|b` is `a`, or `b` if
 * there is no `a`. Among the types of a fact, `type:word` applies only when the node's text begins with that word,
 * `type:!word` only when it does not.
 */
export type GrammarSpec = {
	readonly definitions: Readonly<Record<string, DefinitionRule>>;
	/** Nodes around a single definition that lend it their range, modifiers and decorators. */
	readonly wrappers?: readonly string[];
	readonly comments: readonly string[];
	/** Macros that the grammar takes for names; parsed as blanks of the same length. The first group stays. */
	readonly blanks?: readonly RegExp[];
	/** Decorators in a row, by the first, the others, and the words up to the declaration: the others are not parsed. */
	readonly hiddenDecorators?: RegExp;
	/** A title in quotes before a body, by the blanks before it, its quote and its text: parsed as a function's name. */
	readonly titles?: RegExp;
	/** Text in whose place the grammar is shown something it knows; what is stored is still the text. */
	readonly readAs?: readonly ReadAs[];
	/** The lines of here-documents are not parsed. */
	readonly hereDocuments?: true;
	/** The preprocessor of C reads the text first. */
	readonly conditions?: true;
	/**
	 * A line that opens a macro, with its brace or before it, and what the first line of code inside looks like where it is
	 * a declaration.
	 */
	readonly wrappingMacros?: { readonly opening: RegExp; readonly declaration: RegExp };
	/** What macros are given, as tokens: a name before another of these is called. */
	readonly tokenTrees?: string;
	/** Nodes whose children are modifiers or decorators. */
	readonly modifiers?: readonly string[];
	/** Nodes that are decorators, annotations or attributes. */
	readonly decorators?: readonly string[];
	/** Body nodes, for grammars without a `body` field; a signature ends where the body begins. */
	readonly bodies?: readonly string[];
	/** Parameter lists, for grammars without a `parameters` field; empty where functions declare none. */
	readonly parameters?: readonly string[];
	/**
	 * All is forms in forms, whose fields say nothing: imports are lists of lists, and a function may have several lists of
	 * parameters, each in a form with its body.
	 */
	readonly forms?: true;
	readonly visibility?: VisibilityRule;
	/** What makes a definition exported: a wrapper node, or being public at the top of its file. */
	readonly exported?: { readonly wrapper: string } | "public";
	/** Decorators that make a definition exported: Rust's `#[macro_export]`. */
	readonly exportDecorators?: readonly string[];
	/** Lists of names made visible elsewhere in the file, `export { a }`. */
	readonly exportNames?: readonly string[];
	/** Places that hold what others see: `module.exports = { a, b }`, `exports.a = 1`. */
	readonly exportTargets?: readonly string[];
	readonly extends?: readonly string[];
	readonly implements?: readonly string[];
	/** Fields whose node names an ancestor, where its type says nothing. */
	readonly implementsField?: string;
	/** How a decorator begins that is the documentation of what it decorates: Elixir's `@doc "…"`. */
	readonly docDecorators?: RegExp;
	/** A string as the first statement of a body documents it. */
	readonly docstrings?: { readonly statement: string; readonly string: string };

	/** Names of values, and names of types. */
	readonly identifiers: readonly string[];
	readonly typeIdentifiers?: readonly string[];
	/** Mark in front of every variable that is no part of its name. */
	readonly sigil?: string;
	/** Fields under which an identifier is a label or a member, not a value: never read. */
	readonly nameFields?: readonly string[];
	/** Parents under which an identifier is no value. */
	readonly nameParents?: readonly string[];
	/** Nodes in which all names are those of types, whatever they stand in: Python's annotations. */
	readonly typesWithin?: readonly string[];
	/** The same for one field of a parent: `left` of a pattern with a default. */
	readonly nameUnder?: Readonly<Record<string, string>>;
	/** Parents and fields under which a name stands for a type: used, and never read. */
	readonly typeParents?: readonly string[];
	readonly typeFields?: readonly string[];

	/** Call → the fields that span what is called. */
	readonly calls?: Readonly<Record<string, readonly string[]>>;
	/** Calls that are written without a name → the one they go by. */
	readonly namedCalls?: Readonly<Record<string, string>>;
	/** Object creation → the fields that span the class. */
	readonly constructs?: Readonly<Record<string, readonly string[]>>;
	/** Functions in expressions; what returns inside them does not return from the definition around. */
	readonly lambdas?: readonly string[];
	/** Assignment → its fields. `update` marks `+=` and `++`, which read as well. */
	readonly assignments?: Readonly<Record<string, AssignmentRule>>;
	/** Lists of places that are assigned together, and lists in such lists: `a, (b, c) = d`. */
	readonly targetLists?: readonly string[];
	/** What takes a value apart where a definition has its name: `const { a, b: c } = d` defines `a` and `c`. */
	readonly patterns?: readonly string[];
	/** Lists of values, in which a single one may stand, too. */
	readonly valueLists?: readonly string[];
	readonly members?: readonly string[];
	readonly indexes?: readonly string[];
	/** Calls by these method names change their receiver. */
	readonly mutators?: readonly string[];
	readonly deletes?: readonly string[];
	readonly throws?: readonly string[];
	/** Calls that throw what they are given: Ruby's `raise`. */
	readonly throwCalls?: readonly string[];
	readonly awaits?: readonly string[];
	/** The modifier of a function that may suspend, where it is not `async`. */
	readonly asyncWord?: string;
	/** No word marks such a function: what awaits is one. */
	readonly awaitIsAsync?: true;
	readonly returns?: readonly string[];
	readonly yields?: readonly string[];
	readonly branches?: readonly string[];
	readonly loops?: readonly string[];
	readonly breaks?: readonly string[];
	readonly continues?: readonly string[];
	/** Literal → the type it gives the variable it is assigned to. */
	readonly literals?: Readonly<Record<string, string>>;
	/** `Name(…)` makes an object where classes are written with a capital and called. */
	readonly capitalCallsConstruct?: true;
	/** Import → the field with the module's name, or the whole statement. */
	readonly imports?: Readonly<Record<string, string>>;
	/** Functions that import what their first string argument names. */
	readonly importCalls?: readonly string[];
	/** They may name it without quotes: R's `library(dplyr)`. */
	readonly importsByName?: true;
	/** Functions whose call with a title and a body is a test, or a group of tests. */
	readonly testCalls?: {
		readonly call: string;
		readonly groups: readonly string[];
		readonly cases: readonly string[];
		/** Nodes that may be the title; a group may be named by the class it is about. */
		readonly titles: readonly string[];
		readonly groupTitles?: readonly string[];
		/** Nodes that may be the body, besides functions in expressions. */
		readonly bodies?: readonly string[];
	};
	/** Macros that make a test of the block behind them, named by their arguments: `TEST(Suite, name)`. */
	readonly testMacros?: readonly string[];
	/** Calls that define what the symbols they are given name: Ruby's `attr_reader :name`. `first`: only the first of them. */
	readonly symbolCalls?: {
		readonly symbol: string;
		readonly kinds: Readonly<Record<string, ChunkKind>>;
		readonly first: readonly string[];
	};
	/** Macros whose text declares items that the grammar does not see, by the word before each name: `bitflags! { … }`. */
	readonly macroItems?: {
		readonly call: string;
		readonly items: RegExp;
		readonly kinds: Readonly<Record<string, ChunkKind>>;
	};
	/** Words of the language that are nodes, and so could be taken for what stands beside them. */
	readonly wordNodes?: readonly string[];
	/** C's nodes between a declaration and the name in it. */
	readonly declarators?: {
		/** Their first child is a mark of the type: `*` of `char *name`. */
		readonly marks: readonly string[];
		/** They hold the next one without a field. */
		readonly bare: readonly string[];
		/** A name that looks like one more declarator: `operator bool()`. */
		readonly last?: string;
	};
	/** A dot or colon in a name is a part of it, and a dash in what is called. */
	readonly wholeNames?: true;
	/** A `!` or `?` behind a name is a part of it. */
	readonly markedNames?: true;
	/** Elements with text of other languages; the first rule that fits counts. */
	readonly embedded?: readonly EmbeddedRule[];
	/** Functions whose body is the value they return, unless it is one of these: `x => x + 1`. */
	readonly valueBodies?: Readonly<Record<string, readonly string[]>>;
};

/** An element whose text is of another language, where its tag says so. */
export type EmbeddedRule = {
	readonly element: string;
	readonly tag: RegExp;
	readonly grammar: string;
	readonly language: string;
};

export type DefinitionRule = {
	/** By the first child of a listed type or token, else the last entry. */
	readonly kind: ChunkKind | { readonly byChild: Readonly<Record<string, ChunkKind>>; readonly otherwise: ChunkKind };
	/** Where the name is; `declarator` descends to the innermost. Default `name`. */
	readonly name?: string;
	/** What it is called where its name is but a token of the language: Kotlin's `companion object`. */
	readonly unnamed?: string;
	/** Members of the body are chunks of their own, qualified by this name. */
	readonly container?: true;
	/** Shown as a symbol of the chunk around it unless it is long: constants, fields. */
	readonly small?: true;
	/** A definition only when it has this field or child: `struct foo { … }`, not `struct foo x`. */
	readonly requires?: string;
	/** A definition also when what its list belongs to has this: the parameters of a record are its properties. */
	readonly within?: string;
	/** A definition only right before such a node: `LIMIT =>`. */
	readonly before?: string;
	/** A definition only directly below these: `assignment` at the top of a module. */
	readonly under?: readonly string[];
	/** The value decides the kind: `const f = () => …`. `only` means: no definition without such a value. */
	readonly value?: {
		readonly field: string;
		readonly kinds: Readonly<Record<string, ChunkKind>>;
		readonly only?: true;
		/** Functions that hand on the function they are given: `memo(() => …)`. */
		readonly through?: readonly string[];
		/** Calls that make something, with a block for its body if there is one: Ruby's `Struct.new(:a) do … end`. */
		readonly calls?: Readonly<Record<string, ChunkKind>>;
	};
	/** What it is without such a value, in a list that is handed on by one of these names: R's `public = list(size = 1)`. */
	readonly listed?: { readonly kind: ChunkKind; readonly names: readonly string[] };
	/** Field with the declared result. */
	readonly result?: string;
	/** The name belongs to another type: Go's receiver. */
	readonly receiver?: string;
	/** Names that make the definition a constructor. */
	readonly constructorNames?: readonly string[];
	/** Counts in a declared type only, and not in one that is written where a variable needs it. */
	readonly inType?: true;
	/** Belongs to the type around the function it is written in: a parameter that is a property too. */
	readonly member?: true;
	/** A definition only when its name is like this. */
	readonly named?: RegExp;
	/** Written in front of the name: `~` of a destructor. */
	readonly prefix?: string;
	/** Members that say nothing are this visible. */
	readonly memberVisibility?: Visibility;
	/** The definition begins with one of these words: Elixir's `def`. The empty one stands for all others. */
	readonly words?: Readonly<Record<string, ChunkKind>>;
	/** Those of them whose definitions are containers. */
	readonly containerWords?: readonly string[];
	/** Those of them whose definitions are small. */
	readonly smallWords?: readonly string[];
	/** What the word before its name makes it, where the grammar was shown another: Swift's `macro`. */
	readonly wordBefore?: Readonly<Record<string, ChunkKind>>;
	/** A sibling right behind that belongs to it: Dart's function body. */
	readonly tail?: string;
	/** Every sibling right behind that begins with its name, rather than one: the equations of a Haskell function. */
	readonly tailRepeats?: true;
	/** What it is when its name is a title in quotes. */
	readonly titled?: ChunkKind;
	/** Nodes behind the name that say which one it is, the last being its own: Terraform's `resource "type" "name"`. */
	readonly labels?: string;
	/** An element of a page: named by its `id`, else only these tags count. */
	readonly landmarks?: RegExp;
};

export type AssignmentRule = {
	readonly left: string;
	readonly right?: string;
	readonly update?: true;
	/** Introduces its name, so the name itself is not a read. */
	readonly declares?: true;
	/** Assigns only with one of these operators: `i++`, not `-i`. */
	readonly operators?: readonly string[];
	/** Assigns only where the whole begins with one of these words: `cin >> name`. */
	readonly begins?: readonly string[];
	/** Changes what the left side holds, rather than what it names: Ruby's `list << 1`. */
	readonly changes?: true;
};

export type VisibilityRule = {
	/** For a definition that says nothing. */
	readonly unmarked: Visibility;
	/** Modifier text → visibility. */
	readonly keywords?: Readonly<Record<string, Visibility>>;
	/** By the name itself: a leading underscore, a capital. */
	readonly byName?: "underscore" | "capital";
	/** Labels in a body that hold for what follows: C++ `private:`, Ruby `private`. */
	readonly sections?: readonly string[];
};

export type Visibility = "public" | "protected" | "private" | "internal";
