import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePassFocus } from "./passFocus.ts";

type RecordPanelProps = {
	readonly label: string;
	/** The address of its row in the list beside it. */
	readonly row: string;
	readonly children: ComponentChildren;
};

/** What was chosen from a list, beside it, or on a narrow page in its place; it gives the focus back to its row. */
export function RecordPanel({ label, row, children }: RecordPanelProps) {
	const panel = useRef<HTMLElement>(null);
	// Where the list is hidden for it, the row loses the focus before effects run.
	const [focused] = useState(() => document.activeElement);
	useLayoutEffect(() => {
		if (focused?.checkVisibility() === false) panel.current?.focus({ preventScroll: true });
	}, []);
	usePassFocus(panel, (gone) =>
		[...(gone.parentElement?.querySelectorAll("li a") ?? [])].find((link) => link.getAttribute("href") === row),
	);
	return (
		<section ref={panel} class="card record" aria-label={label} tabIndex={-1}>
			{children}
		</section>
	);
}
