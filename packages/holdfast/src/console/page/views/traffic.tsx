import { useEffect, useMemo, useState } from "preact/hooks";
import type { Answers } from "../../../api/answers.ts";
import type { TrafficSeries, TrafficTotals } from "../../../record/traffic.ts";
import { callsChanged } from "../live.ts";
import { Chart } from "../parts/chart.tsx";
import { Breakable, Scroll } from "../parts/content.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { writeDuration } from "../parts/time.tsx";
import { useResource } from "../resource.ts";
import { link, place, replace } from "../route.ts";

const REFRESH_MS = 5_000;
const SPANS = [5, 15, 60] as const;

export function TrafficView() {
	const of = place.value.query.get("of") ?? "";
	const traffic = useResource<"getTraffic">(`/api/traffic${of === "" ? "" : `?of=${encodeURIComponent(of)}`}`, [
		usePulse(),
	]);
	return (
		<>
			<div class="title">
				<h1>{of === "" ? "Traffic" : <span class="wrap">{of}</span>}</h1>
				<p class="muted">
					the last hour, live ·{" "}
					{of !== "" && (
						<>
							<a href={link("traffic")}>All traffic</a> ·{" "}
						</>
					)}
					<a href={link("calls")}>Latest calls</a>
				</p>
			</div>
			<Loaded from={traffic}>
				{(data) => <Figures traffic={data} of={of} span={place.value.query.get("span")} />}
			</Loaded>
		</>
	);
}

/** Increments at intervals, and soon after a call, but rate-limited for busy servers. */
function usePulse(): number {
	const [pulse, setPulse] = useState(0);
	useEffect(() => {
		const timer = setInterval(() => setPulse((count) => count + 1), REFRESH_MS);
		return () => clearInterval(timer);
	}, []);
	useEffect(() => {
		if (callsChanged.value === 0) return;
		const timer = setTimeout(() => setPulse((count) => count + 1), 300);
		return () => clearTimeout(timer);
	}, [callsChanged.value > 0, Math.floor(callsChanged.value / 5)]);
	return pulse;
}

type FiguresProps = { traffic: Answers["getTraffic"]; of: string; span: string | null };

function Figures({ traffic: { series: hour, totals }, of, span }: FiguresProps) {
	const minutes = span === null ? busyMinutes(hour) : Number(span) || 60;
	const series = useMemo(() => latest(hour, minutes), [hour, minutes]);
	const all = totals[of === "" ? "*" : of];
	const rate = useMemo(() => [{ label: "calls/s", values: series.callsPerSecond, color: "--accent" }], [series]);
	const errors = useMemo(() => [{ label: "errors", values: series.errorRate, color: "--bad" }], [series]);
	const latency = useMemo(
		() => [
			{ label: "p50", values: series.p50, color: "--good" },
			{ label: "p99", values: series.p99, color: "--warn" },
		],
		[series],
	);
	if (all === undefined)
		return (
			<Empty title="No calls in the last hour">They appear here as soon as an agent runs a tool, or you do.</Empty>
		);
	const [calls, failures] = [all.calls === 1 ? "call" : "calls", all.errors === 1 ? "error" : "errors"];
	const said = `${all.calls} ${calls}, ${all.errors} ${failures}, median ${writeDuration(all.p50)}`;
	return (
		<>
			<dl class="facts wide">
				<Figure name="calls" value={all.calls.toLocaleString()} />
				<Figure name="errors" value={percent(all.errors / all.calls)} />
				<Figure name="p50" value={writeDuration(all.p50)} />
				<Figure name="p99" value={writeDuration(all.p99)} />
			</dl>
			<fieldset class="filters" aria-label="Time shown in the charts">
				<span class="muted">Charts of the</span>
				{SPANS.map((one) => (
					<button
						key={one}
						type="button"
						class="chip"
						aria-pressed={minutes === one}
						onClick={() => replace(link("traffic", undefined, { of, span: String(one) }))}
					>
						last {one === 60 ? "hour" : `${one} min`}
					</button>
				))}
			</fieldset>
			<div class="charts">
				<Chart title="Calls per second" time={series.time} lines={rate} unit={perSecond} least={1} says={said} />
				<Chart title="Error rate" time={series.time} lines={errors} unit={percent} least={0.02} says={said} />
				<Chart title="Latency" time={series.time} lines={latency} unit={writeDuration} least={10} says={said} />
			</div>
			<div class="tables">
				<Breakdown title="By server" totals={totals} wanted={(key) => key !== "*" && !isTool(key)} />
				<Breakdown title="By tool" totals={totals} wanted={isTool} />
			</div>
		</>
	);
}

/** How many minutes to show: few for a server that has just started, up to the whole hour later. */
function busyMinutes({ time, callsPerSecond }: TrafficSeries): number {
	const first = callsPerSecond.findIndex((rate) => rate > 0);
	const seconds = (time.at(-1) ?? 0) - (time[first] ?? 0);
	return SPANS.find((minutes) => seconds <= minutes * 60) ?? 60;
}

function latest(series: TrafficSeries, minutes: number): TrafficSeries {
	const from = series.time.findIndex((at) => at > (series.time.at(-1) ?? 0) - minutes * 60);
	return {
		time: series.time.slice(from),
		callsPerSecond: series.callsPerSecond.slice(from),
		errorRate: series.errorRate.slice(from),
		p50: series.p50.slice(from),
		p99: series.p99.slice(from),
	};
}

function Figure({ name, value }: { name: string; value: string }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd class="big">{value}</dd>
		</div>
	);
}

type BreakdownProps = {
	title: string;
	totals: Readonly<Record<string, TrafficTotals>>;
	wanted: (key: string) => boolean;
};

function Breakdown({ title, totals, wanted }: BreakdownProps) {
	const rows = Object.entries(totals)
		.filter(([key]) => wanted(key))
		.sort(([, a], [, b]) => b.calls - a.calls);
	return (
		<Scroll class="card" label={title}>
			<table>
				<caption>{title}</caption>
				<thead>
					<tr>
						<th scope="col">name</th>
						<th scope="col" class="number">
							calls
						</th>
						<th scope="col" class="number">
							errors
						</th>
						<th scope="col" class="number">
							p50
						</th>
						<th scope="col" class="number">
							p99
						</th>
					</tr>
				</thead>
				<tbody>
					{rows.map(([key, { calls, errors, p50, p99 }]) => (
						<tr key={key}>
							<th scope="row">
								<a href={link("traffic", undefined, { of: key })}>
									<Breakable text={key} />
								</a>
							</th>
							<td class="number">{calls.toLocaleString()}</td>
							<td class={`number ${errors > 0 ? "bad-text" : ""}`}>{percent(errors / calls)}</td>
							<td class="number">{writeDuration(p50)}</td>
							<td class="number">{writeDuration(p99)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</Scroll>
	);
}

/** `(other)` counts the tools beyond the number that is counted one by one. */
function isTool(key: string): boolean {
	return key.includes(":") || key === "(other)";
}

function perSecond(rate: number): string {
	if (rate === 0) return "0";
	return rate.toFixed(rate < 1 ? 2 : rate < 10 ? 1 : 0);
}

function percent(share: number): string {
	// Rare errors must not show as 0 %.
	if (share > 0 && share < 0.0005) return "<0.1 %";
	return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}
