/** Highlights the words of a query in a text. */
export function Marked({ text, q }: { text: string; q: string }) {
	const words = [...new Set(q.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])].sort((a, b) => b.length - a.length);
	if (words.length === 0) return <>{text}</>;
	const pieces = text.split(new RegExp(`(${words.join("|")})`, "giu"));
	return <>{pieces.map((piece, place) => (place % 2 === 1 ? <mark key={place}>{piece}</mark> : piece))}</>;
}
