import type { Answers, Server } from "../../../api/answers.ts";
import { callsChanged, entriesChanged, serversChanged, toolsChanged } from "../live.ts";
import { EntryRow } from "../parts/records.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { showHidden } from "../parts/text.ts";
import { useResource } from "../resource.ts";
import { link, place, replace } from "../route.ts";
import { ServerCard } from "./serverCard.tsx";

/** With more servers than this, a search field is shown. */
const MANY = 12;

export function Servers() {
	const { record, query } = place.value;
	const text = query.get("text") ?? "";
	const servers = useResource<"listServers">("/api/servers", [serversChanged.value, callsChanged.value]);
	return (
		<>
			<div class="title">
				<h1>Servers</h1>
				{servers.data !== undefined && <Tally {...servers.data} />}
			</div>
			<Loaded from={servers}>
				{({ servers: all, configProblem }) => (
					<>
						{configProblem !== undefined && (
							<p class="notice bad wrap" role="alert">
								{showHidden(configProblem)}
							</p>
						)}
						{record !== undefined && all.every(({ name }) => name !== record) && (
							<p class="notice warn wrap" role="alert">
								There is no server {showHidden(record)}, or none any more.
							</p>
						)}
						{(all.length > MANY || text !== "") && <Finder text={text} open={record} />}
						<Cards servers={all} text={text} open={record} />
					</>
				)}
			</Loaded>
			<Lately />
		</>
	);
}

function Finder({ text, open }: { text: string; open: string | undefined }) {
	return (
		<search class="filters">
			<input
				type="search"
				aria-label="Find a server"
				placeholder="Find a server"
				value={text}
				onInput={(event) => replace(link("servers", open, { text: event.currentTarget.value }))}
			/>
		</search>
	);
}

const URGENCY = { failed: 0, needs_auth: 1, connecting: 2, ready: 3, stopped: 3 } as const;

/** Sorts servers that need attention first; a failed one keeps its place during a retry. */
function urgency({ state, reason }: Server): number {
	return URGENCY[state === "connecting" && reason !== undefined ? "failed" : state];
}

function Cards({ servers, text, open }: { servers: readonly Server[]; text: string; open: string | undefined }) {
	const held = useHeldTools();
	if (servers.length === 0)
		return (
			<Empty title="No servers yet">
				Add some to the configuration that this was started with; <code>holdfast import</code> adds those of your
				clients to your own one.
			</Empty>
		);
	const fitting = servers.filter(({ name, state }) => `${name} ${state}`.toLowerCase().includes(text.toLowerCase()));
	if (fitting.length === 0) return <Empty title="No such server">No name or state contains this.</Empty>;
	return (
		<div class="cards">
			{fitting
				.toSorted((a, b) => urgency(a) - urgency(b))
				.map((server) => (
					<ServerCard
						key={server.name}
						server={server}
						held={held(server.namespace)}
						open={open === server.name}
						text={text}
					/>
				))}
		</div>
	);
}

const SHOWN_ENTRIES = 8;

/** The latest timeline entries. */
function Lately() {
	const entries = useResource<"listTimeline">(`/api/timeline?limit=${SHOWN_ENTRIES}`, [entriesChanged.value]);
	if (entries.data === undefined || entries.data.entries.length === 0) return null;
	return (
		<section class="card flush lately" aria-labelledby="lately">
			<h2 id="lately">Lately</h2>
			<ul>
				{entries.data.entries.map((entry) => (
					<li key={entry.id}>
						<EntryRow entry={entry} href={link("timeline", entry.id)} />
					</li>
				))}
			</ul>
		</section>
	);
}

function Tally({ servers, context: { shown, behind }, version }: Answers["listServers"]) {
	const ready = servers.filter(({ state }) => state === "ready").length;
	const saves = shown.tokens < behind.tokens;
	return (
		<p class="muted">
			{servers.length > 0 && `${ready} of ${servers.length} ready · `}
			{saves && (
				<span title="Names, descriptions and input schemas, at four characters a token">
					{behind.tools.toLocaleString()} tools in about {shown.tokens.toLocaleString()} tokens of context instead of{" "}
					{behind.tokens.toLocaleString()} ·{" "}
				</span>
			)}
			{version}
		</p>
	);
}

/** The most that the API lists. */
const LISTED = 1_000;

/** Says how many tools of a namespace wait for approval, or nothing if none is known to. */
function useHeldTools(): (namespace: string) => string | undefined {
	const { data } = useResource<"listApprovals">(`/api/approvals?limit=${LISTED}`, [toolsChanged.value]);
	return (namespace) => {
		const count = data?.waiting.filter((tool) => tool.namespace === namespace).length ?? 0;
		if (data === undefined || count === 0) return undefined;
		return `${data.total > data.waiting.length ? "some" : count.toLocaleString()} held`;
	};
}
