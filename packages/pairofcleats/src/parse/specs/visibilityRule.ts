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
