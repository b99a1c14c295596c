import { Fragment } from "preact";

/** A name that goes on in the next line after one of its parts, not in the middle of one. */
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
