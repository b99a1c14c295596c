/** Folds a text for comparison: ignores case and Unicode composition. */
export function comparable(text: string): string {
	return text.normalize("NFC").toLowerCase();
}
