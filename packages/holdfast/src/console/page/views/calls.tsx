import type { CallError as Failed } from "../../../record/calls.ts";
import { callsChanged } from "../live.ts";
import { Breakable, Code, Json } from "../parts/content.tsx";
import { RecordPanel } from "../parts/records.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Clock, Lasted } from "../parts/time.tsx";
import { useResource } from "../resource.ts";
import { link, place } from "../route.ts";

/** The API's server name for an unknown tool. */
const UNKNOWN = "(unknown)";
const TONE = { ok: "good", error: "bad", cancelled: "info", running: "warn" } as const;

/** The latest calls, and the chosen one with its arguments and result. */
export function Calls() {
	const { record } = place.value;
	const calls = useResource<"listCalls">("/api/calls", [callsChanged.value]);
	return (
		<>
			<div class="title">
				<h1>Latest calls</h1>
				<p class="muted">
					the last 200, in memory only · <a href={link("traffic")}>Traffic</a>
				</p>
			</div>
			<div class={`split ${record === undefined ? "" : "with-record"}`}>
				<Loaded from={calls}>
					{({ calls: all }) =>
						all.length === 0 ? (
							<Empty title="No calls yet">Run a tool, here or from a client.</Empty>
						) : (
							<ul class="rows card">
								{all.map((call) => (
									<li key={call.id}>
										<a
											class="row"
											href={link("calls", call.id)}
											aria-current={record === String(call.id) ? "true" : undefined}
										>
											<Clock at={call.at} />
											<span class={`badge ${TONE[call.outcome]}`}>{call.outcome}</span>
											<span class="clip">
												<Breakable text={call.toolId} />
											</span>
											<span class="number muted">
												<Lasted at={call.at} durationMs={call.durationMs} />
											</span>
										</a>
									</li>
								))}
							</ul>
						)
					}
				</Loaded>
				{record !== undefined && <CallRecord id={record} />}
			</div>
		</>
	);
}

function CallRecord({ id }: { id: string }) {
	const call = useResource<"getCall">(`/api/calls/${encodeURIComponent(id)}`, [callsChanged.value]);
	return (
		<RecordPanel label={`Call ${id}`} row={link("calls", id)}>
			<p>
				<a href={link("calls")}>← All calls</a>
			</p>
			<Loaded from={call}>
				{({ call: { toolId, server, at, outcome, durationMs, args, result, error } }) => (
					<div class="stack">
						<h2 class="wrap">{toolId}</h2>
						<p class="actions">
							<span class={`badge ${TONE[outcome]}`}>{outcome}</span>
							<span class="muted">
								{new Date(at).toLocaleString()} · <Lasted at={at} durationMs={durationMs} />
							</span>
							{server !== UNKNOWN && (
								<a class="more" href={link("tools", toolId)}>
									Open the tool
								</a>
							)}
						</p>
						<Json label="Arguments" value={args} />
						{result !== undefined && <Json label="Result" value={result} />}
						{error !== undefined && <CallError error={error} />}
					</div>
				)}
			</Loaded>
		</RecordPanel>
	);
}

/** Shows the message as text with its line breaks, and the rest as JSON. */
function CallError({ error: { message, ...rest } }: { error: Failed }) {
	if (message === undefined) return <Json label="Error" value={rest} />;
	return (
		<>
			<Code label="Error" text={message} prose />
			{Object.keys(rest).length > 0 && <Json label="Details" value={rest} />}
		</>
	);
}
