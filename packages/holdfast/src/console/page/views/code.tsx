import type { Hit } from "pairofcleats";
import { useEffect, useState } from "preact/hooks";
import { FilterChip } from "../parts/buttons.tsx";
import { Marked, Path, Scroll } from "../parts/content.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { useResource } from "../resource.ts";
import { link, place, replace } from "../route.ts";
import { type Index, IndexStatus, useIndex } from "./indexStatus.tsx";

const FILTERS = {
	lang: "language",
	type: "kind",
	path: "path",
	ext: "extension",
	author: "author",
	calls: "calls",
	uses: "uses",
	import: "imports",
} as const;

/** Placeholders: an example value for each filter. */
const EXAMPLES = {
	lang: "typescript",
	type: "function",
	path: "src/**",
	ext: "ts",
	author: "Ada",
	calls: "fetch",
	uses: "Session",
	import: "node:fs",
} as const satisfies Record<keyof typeof FILTERS, string>;

export function CodeSearch() {
	const { query } = place.value;
	const q = query.get("q") ?? "";
	const chosen = Object.keys(FILTERS).flatMap((name) =>
		query.has(name) ? [[name, query.get(name) ?? ""] as const] : [],
	);
	const filters = Object.fromEntries(chosen);
	const index = useIndex();
	const found = useResource<"searchCode">(q === "" ? undefined : "/api/search", [index.builds], {
		query: q,
		top: 30,
		...filters,
	});
	return (
		<>
			<div class="title">
				<h1>Code</h1>
				<IndexStatus index={index} />
			</div>
			<SearchForm q={q} filters={filters} again={found.reload} />
			{index.failure?.code === "unavailable" ? (
				<Empty title="There is no code to search">{index.failure.message}.</Empty>
			) : index.status?.indexed === false ? (
				<NoIndex index={index} />
			) : q === "" ? (
				<Empty title="Search the repository">Words, an identifier, "a phrase" or /a regex/.</Empty>
			) : (
				<Loaded from={found}>
					{({ hits, totals, warnings = [] }) => (
						<>
							{warnings.map(({ message }) => (
								<p key={message} class="notice warn wrap">
									{message}
								</p>
							))}
							<p class="hint" role="status">
								{totals.matches} {totals.matches === 1 ? "match" : "matches"} in {totals.files}{" "}
								{totals.files === 1 ? "file" : "files"}
							</p>
							{hits.length === 0 && <Empty title="Nothing found">Try other words or fewer filters.</Empty>}
							<ol class="hits">
								{hits.map((hit) => (
									<li key={`${hit.path}:${hit.startLine}`}>
										<HitCard hit={hit} q={q} />
									</li>
								))}
							</ol>
						</>
					)}
				</Loaded>
			)}
		</>
	);
}

function NoIndex({ index: { job, rebuild } }: { index: Index }) {
	if (job?.state === "running")
		return <Empty title="The index is being built">Results appear here once it is ready.</Empty>;
	return (
		<Empty title="There is no index yet">
			Building reads the whole repository once; nothing leaves this machine.
			<br />
			<button type="button" class="primary" onClick={rebuild}>
				Build the index
			</button>
		</Empty>
	);
}

type SearchFormProps = { q: string; filters: Readonly<Record<string, string>>; again: () => void };

function SearchForm({ q, filters, again }: SearchFormProps) {
	const [text, setText] = useState(q);
	const [name, setName] = useState<keyof typeof FILTERS>("lang");
	const [value, setValue] = useState("");
	// A link or the back button may change the address.
	useEffect(() => setText(q), [q]);
	const go = (query: Record<string, string | undefined>): void => {
		const to = link("code", undefined, { q: text, ...filters, ...query });
		// An address that stays the same tells nobody.
		if (to === link("code", undefined, { q, ...filters })) again();
		else location.hash = to;
	};
	return (
		<search>
			<form
				class="filters"
				onSubmit={(event) => {
					event.preventDefault();
					go(value === "" ? {} : { [name]: value });
					setValue("");
				}}
			>
				<input
					type="search"
					class="grow"
					aria-label="Search code"
					placeholder="Search code"
					value={text}
					onInput={(event) => setText(event.currentTarget.value)}
				/>
				<select
					aria-label="Filter by"
					value={name}
					onChange={(event) => setName(isFilter(event.currentTarget.value) ? event.currentTarget.value : "lang")}
				>
					{Object.entries(FILTERS).map(([key, label]) => (
						<option key={key} value={key}>
							{label}
						</option>
					))}
				</select>
				<input
					class="short"
					aria-label="Filter value"
					placeholder={EXAMPLES[name]}
					value={value}
					onInput={(event) => setValue(event.currentTarget.value)}
				/>
				<button type="submit" class="primary">
					Search
				</button>
				{Object.entries(filters).map(([key, set]) => (
					<FilterChip key={key} onRemove={() => replace(link("code", undefined, { q, ...filters, [key]: undefined }))}>
						{labelOf(key)}: {set}
					</FilterChip>
				))}
			</form>
		</search>
	);
}

function labelOf(filter: string): string {
	return isFilter(filter) ? FILTERS[filter] : filter;
}

function isFilter(name: string): name is keyof typeof FILTERS {
	return Object.hasOwn(FILTERS, name);
}

function HitCard({ hit, q }: { hit: Hit; q: string }) {
	const { path, startLine, snippet, kind, qualifiedName, part, language, score } = hit;
	const at = link("file", undefined, { path, line: String(snippet.matched[0] ?? startLine), q });
	return (
		<article class="card hit">
			<header>
				<h2 class="wrap">
					<a href={at}>
						<Path path={path} />:{startLine}
					</a>
				</h2>
				<span class="muted clip">
					{kind} {qualifiedName} {part !== undefined && `(part ${part.index} of ${part.of}) `}· {language}
				</span>
				<Score of={`${path}:${startLine}`} score={score} parts={hit.scoreParts} />
			</header>
			<Scroll class="snippet" label={`${path}, line ${startLine}, ${qualifiedName || kind}`}>
				<pre>
					{snippet.lines.map((line, place) => {
						const number = snippet.startLine + place;
						return (
							<span key={number} class={snippet.matched.includes(number) ? "line matched" : "line"}>
								<span class="line-number">{number}</span>
								<span class="line-text">
									<Marked text={line} q={q} />
								</span>
								{"\n"}
							</span>
						);
					})}
				</pre>
			</Scroll>
		</article>
	);
}

function Score({ of, score, parts = {} }: { of: string; score: number; parts: Hit["scoreParts"] }) {
	const entries = Object.entries(parts).filter(([, value]) => value !== 0);
	const most = Math.max(...entries.map(([, value]) => Math.abs(value)), 0.001);
	return (
		<details class="score">
			<summary aria-label={`score ${score.toFixed(2)} of ${of}`}>score {score.toFixed(2)}</summary>
			<dl>
				{entries.map(([name, value]) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>
							<meter min={0} max={most} value={Math.abs(value)} aria-label={name} /> {value.toFixed(3)}
						</dd>
					</div>
				))}
			</dl>
		</details>
	);
}
