import { Fragment } from "preact";

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
