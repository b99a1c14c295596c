// Functions provided by the host.

/** The kind of a character, see `tokens/words.ts`. */
export declare function kindOf(character: u32): u32;

/** Splits a word with non-ASCII characters; the host adds each term by calling `addTermOfWord`. */
export declare function splitWord(at: u32, length: u32): void;
