import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

export type Line = { readonly label: string; readonly values: readonly (number | null)[]; readonly color: string };

type ChartProps = {
	readonly title: string;
	readonly time: readonly number[];
	readonly lines: readonly Line[];
	readonly unit: (value: number) => string;
	/** Minimum top of the scale, so that tiny values look tiny and axis labels differ. */
	readonly least: number;
	/** A summary for screen readers. */
	readonly says: string;
};

const HEIGHT = 150;
const scheme = matchMedia("(prefers-color-scheme: dark)");
const dark = signal(scheme.matches);
scheme.addEventListener("change", () => {
	dark.value = scheme.matches;
});

/** A line chart over time. */
export function Chart({ title, time, lines, unit, least, says }: ChartProps) {
	const place = useRef<HTMLDivElement>(null);
	const plot = useRef<uPlot | undefined>(undefined);
	const shape = lines.map(({ label }) => label).join();
	useEffect(() => {
		const element = place.current;
		if (element === null) return;
		const made = new uPlot(options(lines, unit, least, element), dataOf(time, lines), element);
		plot.current = made;
		const watch = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
		watch.observe(element);
		return () => {
			watch.disconnect();
			made.destroy();
		};
	}, [shape, dark.value]);
	useEffect(() => plot.current?.setData(dataOf(time, lines)), [time, lines]);
	return (
		<figure class="chart">
			<figcaption>{title}</figcaption>
			<div ref={place} role="img" aria-label={`${title}: ${says}`} />
		</figure>
	);
}

function clock(seconds: number): string {
	return new Date(seconds * 1_000).toLocaleTimeString(undefined, {
		hour: "2-digit",
		minute: "2-digit",
		hourCycle: "h23",
	});
}

function dataOf(time: readonly number[], lines: readonly Line[]): uPlot.AlignedData {
	return [[...time], ...lines.map(({ values }) => [...values])];
}

function options(
	lines: readonly Line[],
	unit: (value: number) => string,
	least: number,
	element: HTMLElement,
): uPlot.Options {
	const style = getComputedStyle(element);
	const color = (name: string): string => style.getPropertyValue(name).trim();
	const axis = {
		stroke: color("--muted"),
		grid: { stroke: color("--line"), width: 1 },
		ticks: { show: false },
		font: "11px system-ui, sans-serif",
	};
	return {
		width: element.clientWidth,
		height: HEIGHT,
		cursor: { y: false },
		legend: { live: true },
		scales: { y: { range: (_plot, _low, high) => [0, Math.max(high * 1.1, least)] } },
		axes: [
			{ ...axis, size: 26, values: (_plot, splits) => splits.map(clock) },
			{ ...axis, size: 62, values: (_plot, splits) => splits.map((value) => (value === 0 ? "0" : unit(value))) },
		],
		series: [
			{ label: "time", value: (_plot, at) => (at === null ? "–" : clock(at)) },
			...lines.map((line) => ({
				label: line.label,
				stroke: color(line.color),
				width: 1.6,
				// A line across minutes without calls would show values that nobody measured.
				spanGaps: false,
				points: { show: line.values.includes(null), size: 4 },
				value: (_plot: uPlot, value: number | null) => (value === null ? "–" : unit(value)),
			})),
		],
	};
}
