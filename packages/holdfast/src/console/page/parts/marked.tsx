import { markedPieces } from "./markedPieces.ts";

/** Highlights the words of a query in a text. */
export function Marked({ text, q }: { text: string; q: string }) {
	return (
		<>{markedPieces(text, q).map((piece, place) => (place % 2 === 1 ? <mark key={place}>{piece}</mark> : piece))}</>
	);
}
