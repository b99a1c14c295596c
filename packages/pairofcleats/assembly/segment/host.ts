// What only the host knows.

/** The kind of a character, see `wordKinds.ts`. */
export declare function kindOf(character: u32): u32;

/** Asks for the terms of a word beyond ASCII, which the host adds by `addTermOfWord`. */
export declare function splitWord(at: u32, length: u32): void;
