import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TimelineEntry } from "../../../record/timeline.ts";
import { usePassFocus } from "./buttons.tsx";
import { showHidden } from "./text.ts";
import { Ago, Clock } from "./time.tsx";

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

/** One line of the timeline. */
export function EntryRow({ entry, href, current = false }: { entry: TimelineEntry; href: string; current?: boolean }) {
	return (
		<a class="row entry" href={href} aria-current={current ? "true" : undefined}>
			<Clock at={entry.at} />
			<span class={`badge ${entry.level}`}>{entry.kind}</span>
			<span class="clip">
				<strong>{showHidden(entry.server)}</strong> <Repeated {...entry.record} />
				{showHidden(entry.summary)}
			</span>
		</a>
	);
}

/** How often it happened; shown before the summary, because the row may cut off the end. */
function Repeated({ times, lastAt }: TimelineEntry["record"]) {
	if (typeof times !== "number") return null;
	return (
		<span class="muted">
			{times} times
			{typeof lastAt === "number" && (
				<>
					, last <Ago at={lastAt} />
				</>
			)}{" "}
			·{" "}
		</span>
	);
}
