/** A word as an error says what came: an empty one, such as a variable that is not set leaves, is nothing. */
export function came(word: string | undefined): string {
	return word || "nothing";
}
