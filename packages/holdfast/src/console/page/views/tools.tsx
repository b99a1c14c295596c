import type { Tool } from "../../../api/answers.ts";
import { FilterChip } from "../parts/buttons.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { showHidden } from "../parts/text.ts";
import { VirtualList } from "../parts/virtualList.tsx";
import { link, place, replace } from "../route.ts";
import { Approvals } from "../tools/approvals.tsx";
import { ChainBuilder } from "../tools/chain.tsx";
import { Execute } from "../tools/execute.tsx";
import { ToolPage, useToolPages } from "../tools/toolPage.tsx";

const TABS = [
	{ view: "tools", title: "Catalogue" },
	{ view: "chain", title: "Chain" },
	{ view: "execute", title: "Run code" },
	{ view: "approvals", title: "Approvals" },
] as const;

export function Tools({ view }: { view: (typeof TABS)[number]["view"] }) {
	return (
		<>
			<div class="title">
				<h1>Tools</h1>
				<nav class="tabs" aria-label="Parts of Tools">
					{TABS.map((tab) => (
						<a key={tab.view} href={link(tab.view)} aria-current={tab.view === view ? "page" : undefined}>
							{tab.title}
						</a>
					))}
				</nav>
			</div>
			{view === "tools" && <Catalogue />}
			{view === "chain" && <ChainBuilder />}
			{view === "execute" && <Execute />}
			{view === "approvals" && <Approvals />}
		</>
	);
}

const ROW_PX = 54;

function Catalogue() {
	const { query, record } = place.value;
	const q = query.get("q") ?? "";
	const namespace = query.get("ns") ?? "";
	const found = useToolPages({ q, namespace });
	return (
		<div class={`split tools ${record === undefined ? "" : "with-record"}`}>
			<div class="side">
				<div class="filters">
					<input
						type="search"
						aria-label="Search tools"
						placeholder="What should the tool do?"
						value={q}
						onInput={(event) => replace(link("tools", record, { q: event.currentTarget.value, ns: namespace }))}
					/>
					{namespace !== "" && (
						<FilterChip onRemove={() => replace(link("tools", record, { q }))}>
							{found.data?.tools.find((tool) => tool?.namespace === namespace)?.server ?? namespace}
						</FilterChip>
					)}
				</div>
				<Loaded from={found}>
					{({ tools, strategy }) => {
						if (tools.length === 0)
							return (
								<Empty title={q === "" ? "No tools yet" : "No tool does that"}>
									{q === "" ? "They appear when servers connect." : "Try other words."}
								</Empty>
							);
						return (
							<>
								<p class="hint" role="status">
									{tools.length.toLocaleString()} {tools.length === 1 ? "tool" : "tools"}
									{q !== "" && `, best first (${strategy})`}
								</p>
								<div class="card flush">
									<VirtualList
										key={`${namespace} ${q}`}
										items={tools}
										rowHeight={ROW_PX}
										label="Tools"
										keyOf={({ id }) => id}
										// Search results open at the best match, not at the chosen tool.
										current={q === "" ? record : undefined}
										onSight={found.see}
									>
										{(tool) => <ToolRow tool={tool} current={tool.id === record} query={{ q, ns: namespace }} />}
									</VirtualList>
								</div>
							</>
						);
					}}
				</Loaded>
			</div>
			{record === undefined ? (
				<div class="wide-only">
					<Empty title="Choose a tool">Its description, a form to run it and its types appear here.</Empty>
				</div>
			) : (
				<ToolPage
					key={record}
					id={record}
					row={link("tools", record, { q, ns: namespace })}
					back={link("tools", undefined, { q, ns: namespace })}
				/>
			)}
		</div>
	);
}

/** A name so short is shown whole. */
const SHORT_NAME = 4;

function ToolRow({ tool, current, query }: { tool: Tool; current: boolean; query: Record<string, string> }) {
	const server = showHidden(tool.server ?? tool.namespace);
	return (
		<a class="tool-row" href={link("tools", tool.id, query)} aria-current={current ? "true" : undefined}>
			<span class="tool-id">
				<span class={`clip muted ${server.length > SHORT_NAME ? "shrinking" : ""}`}>{server}:</span>
				<strong class="clip">{showHidden(tool.declaredName ?? tool.name)}</strong>
				{tool.quarantined && <span class="badge warn">held</span>}
			</span>
			<span class="clip muted" dir="auto">
				{showHidden(tool.description)}
			</span>
		</a>
	);
}
