import { useMemo, useRef, useState } from "preact/hooks";
import type { Answers, Tool } from "../../../api/answers.ts";
import { api } from "../api.ts";
import { toolsChanged } from "../live.ts";
import { Code, Json, Media } from "../parts/content.tsx";
import { RecordPanel } from "../parts/records.tsx";
import { Failure, Loaded } from "../parts/states.tsx";
import { showHidden } from "../parts/text.ts";
import { writeDuration } from "../parts/time.tsx";
import { type Resource, useResource } from "../resource.ts";
import { link } from "../route.ts";
import { findArguments, type Schema } from "./argumentSchema.ts";
import { RunButtons, useRun } from "./run.tsx";
import { type Arguments, createFields, type Fields, readFields } from "./schemaFields.ts";
import { isEndOfLine, SchemaForm } from "./schemaForm.tsx";

type Details = Answers["describeTool"];

/** One tool: its description, a form to run it, and the result. */
export function ToolPage({ id, row, back }: { id: string; row: string; back: string }) {
	const details = useResource<"describeTool">(`/api/tools/${encodeURIComponent(id)}`, [toolsChanged.value]);
	return (
		<RecordPanel label={`Tool ${id}`} row={row}>
			<p class="narrow-only">
				<a href={back}>← All tools</a>
			</p>
			<Loaded from={details}>{(data) => <Described details={data} />}</Loaded>
		</RecordPanel>
	);
}

function Described({ details: { tool, definition, declaration, examples, notes } }: { details: Details }) {
	return (
		<div class="stack">
			<h2 class="wrap">{tool.id}</h2>
			{tool.declaredName !== undefined && (
				<p class="hint wrap">
					Its server calls it <strong class="wrap">{showHidden(tool.declaredName)}</strong>.
				</p>
			)}
			{tool.title !== undefined && (
				<p class="wrap" dir="auto">
					{showHidden(tool.title)}
				</p>
			)}
			<p class="wrap" dir="auto">
				{showHidden(tool.description)}
			</p>
			{notes !== undefined && <p class="hint wrap">{notes}</p>}
			{tool.quarantined ? (
				<p class="notice warn">
					It is held until somebody approves it. <a href={link("approvals")}>See approvals</a>
				</p>
			) : (
				<RunForm
					id={tool.id}
					schema={findArguments(definition)}
					examples={examples}
					destructive={tool.destructive === true}
				/>
			)}
			<details>
				<summary>Types for code</summary>
				<Code label="Declaration" text={declaration} />
			</details>
			<details>
				<summary>Definition</summary>
				<Json label="Definition" value={definition} />
			</details>
		</div>
	);
}

type RunFormProps = {
	readonly id: string;
	readonly schema: Schema;
	readonly examples: Details["examples"];
	readonly destructive: boolean;
};

/** Kept outside the component, so that a filled-in form survives a visit to another page. */
const filledIn = new Map<string, Fields>();

function RunForm({ id, schema, examples, destructive }: RunFormProps) {
	const [fields, setFields] = useState<Fields>(() => filledIn.get(id) ?? createFields(schema));
	const fill = (filled: Fields): void => {
		filledIn.set(id, filled);
		setFields(filled);
	};
	const [problem, setProblem] = useState<string | undefined>();
	const { run, stop, running, failure, result } = useRun<"runTool">();
	const submit = (): void => {
		const read: Arguments = readFields(schema, fields);
		setProblem("problem" in read ? read.problem : undefined);
		if ("args" in read) void run(`/api/tools/${encodeURIComponent(id)}/run`, { args: read.args });
	};
	return (
		<>
			<form
				class="stack"
				aria-label={`Run ${id}`}
				onSubmit={(event) => {
					event.preventDefault();
					submit();
				}}
				onKeyDown={(event) => {
					if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey || isEndOfLine(event))) return;
					event.preventDefault();
					if (!running) event.currentTarget.requestSubmit();
				}}
			>
				{examples.length > 0 && (
					<div class="filters">
						{examples.map((example) => (
							<button
								key={example.title}
								type="button"
								class="chip"
								onClick={() => fill(createFields(schema, example.args))}
							>
								{example.title}
							</button>
						))}
					</div>
				)}
				<SchemaForm schema={schema} fields={fields} onChange={fill} />
				{problem !== undefined && (
					<p class="notice bad" role="alert">
						{problem}
					</p>
				)}
				<div class="actions">
					<RunButtons label="Run" of={{ running, stop }} />
					<span class="hint">{destructive ? "This tool is marked as destructive." : "Ctrl+Enter"}</span>
				</div>
			</form>
			<div aria-live="polite">
				{failure !== undefined && <Failure failure={failure} />}
				{result !== undefined && (
					<div class="stack" data-result>
						<p class="hint">answered in {writeDuration(result.durationMs)}</p>
						<Media content={result.content ?? []} />
						<Json label="Result" value={result.structured} />
						<Files answer={result} />
					</div>
				)}
			</div>
		</>
	);
}

/** Links and embedded files, unless the value is the whole content and has them. */
function Files({ answer: { structured, content = [] } }: { answer: Answers["runTool"] }) {
	const files = content.filter(({ type }) => type === "resource" || type === "resource_link");
	if (files.length === 0 || JSON.stringify(structured) === JSON.stringify(content)) return null;
	return <Json label="Links and files" value={files} />;
}

/** One element per tool, `undefined` if it is not loaded yet. */
type ToolPages = { readonly tools: readonly (Tool | undefined)[]; readonly strategy: string };

const PAGE = 200;
/** Rows loaded ahead of the visible ones, so that keyboard navigation does not outrun loading. */
const AHEAD = 60;

/** The tools that match a filter, loaded page by page as the list is scrolled. */
export function useToolPages(filter: { readonly q: string; readonly namespace: string }): Resource<ToolPages> & {
	see(first: number, last: number): void;
} {
	const path = (page: number): string =>
		`/api/tools?${new URLSearchParams({ ...filter, offset: String(page * PAGE), limit: String(PAGE) })}`;
	const head = useResource<"listTools">(path(0), [toolsChanged.value]);
	const [loads, setLoads] = useState(0);
	const pages = useMemo(() => new Map<number, readonly Tool[]>(), [path(0)]);
	// After a change every page is reloaded; the old rows stay visible until then.
	const asked = useMemo(() => new Set([0]), [head.data]);
	const newest = useRef(asked);
	newest.current = asked;
	const data = useMemo(() => {
		if (head.data === undefined) return undefined;
		const { tools, total, strategy } = head.data;
		pages.set(0, tools);
		const at = (place: number) => pages.get(Math.floor(place / PAGE))?.[place % PAGE];
		return { tools: Array.from({ length: total }, (_, place) => at(place)), strategy };
	}, [head.data, pages, loads]);
	const load = async (page: number): Promise<void> => {
		if (asked.has(page)) return;
		asked.add(page);
		try {
			const { tools } = await api<"listTools">(path(page));
			if (newest.current === asked) pages.set(page, tools);
			setLoads((count) => count + 1);
		} catch {
			asked.delete(page);
		}
	};
	return {
		...head,
		data,
		see(first, last) {
			const end = Math.min((head.data?.total ?? 0) - 1, last + AHEAD);
			for (let page = Math.floor(Math.max(0, first - AHEAD) / PAGE); page * PAGE <= end; page++) void load(page);
		},
	};
}
