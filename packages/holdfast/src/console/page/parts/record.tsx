import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePassFocus } from "./passFocus.ts";

type RecordPanelProps = {
	readonly label: string;
	/** The `href` of the record's row in the list. */
	readonly row: string;
	readonly children: ComponentChildren;
};

/** Shows a record beside its list, or instead of it on a narrow page; closing it focuses the record's row. */
export function RecordPanel({ label, row, children }: RecordPanelProps) {
	const panel = useRef<HTMLElement>(null);
	// Read while rendering: if the panel hides the list, the row loses the focus before effects run.
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
