import type { ChunkKind } from "../chunk.ts";
import type { Visibility } from "./visibilityRule.ts";

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
