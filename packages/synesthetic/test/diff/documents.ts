import fc from "fast-check";
import type { JsonValue } from "../../src/json/jsonValue.ts";

/** Names that are hard on pointers, prototypes and orders. */
export const key: fc.Arbitrary<string> = fc.oneof(
	fc.constantFrom("", "a", "b", "a/b", "m~n", "~1", "__proto__", "constructor", "é", "\uffff", "😀", "10", "9"),
	fc.string({ maxLength: 3 }),
);
const scalar = fc.oneof(
	fc.constantFrom(0, 1, true, false, null, "", "1", -0, 1.5),
	fc.integer(),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.string({ maxLength: 4 }),
);

export const document: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4, withCrossShrink: true },
		scalar,
		fc.array(tie("value"), { maxLength: 4 }),
		fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
	),
})).value;
