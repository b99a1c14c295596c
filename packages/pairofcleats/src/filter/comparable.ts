/** A text as it is compared with others: letters of any case, composed or not, are the same. */
export function comparable(text: string): string {
	return text.normalize("NFC").toLowerCase();
}
