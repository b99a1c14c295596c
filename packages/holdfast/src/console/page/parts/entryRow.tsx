import type { TimelineEntry } from "../../../record/timeline.ts";
import { Ago, Clock } from "./time.tsx";
import { visible } from "./visible.ts";

/** One line of the timeline. */
export function EntryRow({ entry, href, current = false }: { entry: TimelineEntry; href: string; current?: boolean }) {
	return (
		<a class="row entry" href={href} aria-current={current ? "true" : undefined}>
			<Clock at={entry.at} />
			<span class={`badge ${entry.level}`}>{entry.kind}</span>
			<span class="clip">
				<strong>{visible(entry.server)}</strong> <Repeated {...entry.record} />
				{visible(entry.summary)}
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
