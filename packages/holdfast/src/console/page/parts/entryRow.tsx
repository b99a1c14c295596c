import type { Entry } from "../model.ts";
import { Clock } from "./time.tsx";

/** One line of the timeline. */
export function EntryRow({ entry, href, current = false }: { entry: Entry; href: string; current?: boolean }) {
	return (
		<a class="row entry" href={href} aria-current={current ? "true" : undefined}>
			<Clock at={entry.at} />
			<span class={`badge ${entry.level}`}>{entry.kind}</span>
			<span class="clip">
				<strong>{entry.server}</strong> {entry.summary}
				{typeof entry.record.times === "number" && <span class="muted"> · {entry.record.times} times</span>}
			</span>
		</a>
	);
}
