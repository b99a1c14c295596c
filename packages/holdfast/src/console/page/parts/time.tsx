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

/** The time of day; of another day than today its date, and no seconds. */
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

export function duration(ms: number | null | undefined): string {
	if (ms === null || ms === undefined) return "–";
	if (ms < 1_000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
	return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}

function ago(ms: number): string {
	const seconds = Math.round(ms / 1_000);
	if (seconds < 5) return "just now";
	if (seconds < 60) return `${seconds} s ago`;
	if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
	return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h ago` : `${Math.floor(seconds / 86_400)} d ago`;
}
