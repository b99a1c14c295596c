import { Fragment } from "preact";
import { showHidden, splitMarked } from "./text.ts";

/** A line of a file, with the words of a query highlighted and without what ends the line on other systems. */
export function Marked({ text, q }: { text: string; q: string }) {
	const pieces = splitMarked(text.replace(/\r$/, ""), q).map(showHidden);
	return <>{pieces.map((piece, place) => (place % 2 === 1 ? <mark key={place}>{piece}</mark> : piece))}</>;
}

/** A path whose folders stay in their order, whichever way the letters of each of them run. */
export function Path({ path }: { path: string }) {
	return (
		<>
			{path.split(/(?<=\/)/).map((part, place) => (
				<bdi key={place} dir="ltr">
					{showHidden(part)}
				</bdi>
			))}
		</>
	);
}

/** A long name that wraps between its parts, not inside one. */
export function Breakable({ text }: { text: string }) {
	return (
		<>
			{text.split(/(?<=[:_./-])/).map((part, place) => (
				<Fragment key={place}>
					{place > 0 && <wbr />}
					{part}
				</Fragment>
			))}
		</>
	);
}
