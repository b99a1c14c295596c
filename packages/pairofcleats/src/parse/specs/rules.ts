import type { ChunkKind } from "../chunk.ts";

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

/** Visibility keywords shared by several languages. */
export const ACCESS: Readonly<Record<string, Visibility>> = {
	public: "public",
	private: "private",
	protected: "protected",
	internal: "internal",
};
