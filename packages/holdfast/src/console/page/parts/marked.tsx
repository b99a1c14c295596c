import { markedPieces } from "./markedPieces.ts";
import { visible } from "./visible.ts";

/** A line of a file, with the words of a query highlighted and without what ends the line on other systems. */
export function Marked({ text, q }: { text: string; q: string }) {
	const pieces = markedPieces(text.replace(/\r$/, ""), q).map(visible);
	return <>{pieces.map((piece, place) => (place % 2 === 1 ? <mark key={place}>{piece}</mark> : piece))}</>;
}
