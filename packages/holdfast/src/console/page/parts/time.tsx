import { signal } from "@preact/signals";

const now = signal(Date.now());
setInterval(() => {
	if (!document.hidden) now.value = Date.now();
}, 5_000);

export function Ago({ at }: { at: number | string }) {
	const date = new Date(at);
	return (
		<time dateTime={date.toISOString()} title={date.toLocaleString()}>
			{ago(Math.max(0, now.value - date.getTime()))}
		</time>
	);
}

/** The time of day; for other days than today the date and the time without seconds. */
export function Clock({ at }: { at: number }) {
	const date = new Date(at);
	const isToday = date.toDateString() === new Date(now.value).toDateString();
	return (
		<time dateTime={date.toISOString()} title={date.toLocaleString()}>
			{isToday ? date.toLocaleTimeString(undefined, { hourCycle: "h23" }) : DAY_AND_TIME.format(date)}
		</time>
	);
}

const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, {
	day: "numeric",
	month: "short",
	hour: "2-digit",
	minute: "2-digit",
	hourCycle: "h23",
});

export function writeDuration(ms: number | null | undefined): string {
	if (ms === null || ms === undefined) return "–";
	if (ms < 1_000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
	return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}

/** How long a call took, or how long it has been running. */
export function Lasted({ at, durationMs }: { at: number; durationMs: number | undefined }) {
	return <>{durationMs === undefined ? span(Math.max(0, now.value - at)) : writeDuration(durationMs)}</>;
}

function ago(ms: number): string {
	return ms < 4_500 ? "just now" : `${span(ms)} ago`;
}

function span(ms: number): string {
	const seconds = Math.round(ms / 1_000);
	if (seconds < 60) return `${seconds} s`;
	if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
	return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
