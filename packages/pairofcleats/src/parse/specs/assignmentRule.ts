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
