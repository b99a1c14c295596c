/** Against which schema's data the other one is checked. */
export type Direction = "BACKWARD" | "FORWARD";

/** How a narrowing reads. Both directions tell what became of the old schema, which in one of them refuses values. */
export type NarrowingWords = {
	readonly nothing: string;
	readonly property: string;
	readonly dialect: string;
	only(what: string): string;
	lost(what: string): string;
	required(names: string, count: number): string;
	/** `asked`: the value of the schema that refuses more; `other`: of the one that refuses less. */
	bound(keyword: string, asked: string, other: string): string;
	/** `isAlone`: only the schema that refuses more has the keyword. */
	keyword(keyword: string, isAlone: boolean): string;
};

export const NARROWING_WORDS: Readonly<Record<Direction, NarrowingWords>> = {
	BACKWARD: {
		nothing: "no value is allowed any more",
		property: "the property is not allowed any more",
		dialect: "$schema names another dialect, which may refuse more",
		only: (what) => `only ${what} is allowed now`,
		lost: (what) => `${what} is not allowed any more`,
		required: (names, count) => `${names} ${count === 1 ? "is" : "are"} required now`,
		bound: (keyword, asked, other) => `${keyword} is ${asked}, was ${other}`,
		keyword: (keyword, isAlone) => `${keyword} ${isAlone ? "is new" : "changed"} and may refuse more`,
	},
	FORWARD: {
		nothing: "no value was allowed before",
		property: "the property was not allowed before",
		dialect: "$schema names another dialect, which may refuse less",
		only: (what) => `only ${what} was allowed before`,
		lost: (what) => `${what} was not allowed before`,
		required: (names, count) => `${names} ${count === 1 ? "is" : "are"} not required any more`,
		bound: (keyword, asked, other) => `${keyword} was ${asked}, is ${other}`,
		keyword: (keyword, isAlone) => `${keyword} ${isAlone ? "is gone" : "changed"} and may have refused more`,
	},
};
