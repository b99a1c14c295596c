import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { Answers } from "../../../api/answers.ts";
import { toolsChanged } from "../live.ts";
import { Code, Json } from "../parts/content.tsx";
import { Failure, Loaded } from "../parts/states.tsx";
import { writeDuration } from "../parts/time.tsx";
import { useResource } from "../resource.ts";
import { RunButtons, useRun } from "./run.tsx";

const SAMPLE = `// Runs in a sandbox; the last expression is the answer.
const found = await tools.search("health");
found.map((tool) => tool.id);
`;

/** Kept outside the component, so that the code survives a visit to another page. */
const code = signal(SAMPLE);

/** An editor for code that calls tools, with their types beside it. */
export function Execute() {
	const [typesOf, setTypesOf] = useState<TypesOf>({ namespace: "", q: "" });
	const { run, stop, running, failure, result } = useRun<"executeCode">();
	const start = (): void => void run("/api/code", { code: code.value, language: "typescript" });
	return (
		<div class="split even">
			<div class="stack">
				<label class="field">
					<span>
						Code <span class="muted">TypeScript, Ctrl+Enter runs it</span>
					</span>
					<textarea
						class="editor"
						rows={16}
						spellcheck={false}
						autocapitalize="off"
						value={code.value}
						onInput={(event) => {
							code.value = event.currentTarget.value;
						}}
						onKeyDown={(event) => {
							if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !running) start();
						}}
					/>
				</label>
				<div class="actions">
					<RunButtons label="Run the code" of={{ running, stop }} onRun={start} />
				</div>
				<div aria-live="polite">
					{failure !== undefined && <Failure failure={failure} />}
					{result !== undefined && <Output ran={result} />}
				</div>
			</div>
			<Types of={typesOf} onChange={setTypesOf} />
		</div>
	);
}

function Output({
	ran: { value, stdout = "", stderr = "", durationMs, toolCalls = [], error },
}: {
	ran: Answers["executeCode"];
}) {
	return (
		<div class="stack" data-result>
			<p class="hint">
				{writeDuration(durationMs)}
				{toolCalls.length > 0 && `, called ${toolCalls.map(({ tool_id: id }) => id).join(", ")}`}
			</p>
			{error !== undefined && (
				<p class="notice bad wrap" role="alert">
					<strong>{error.code.replaceAll("_", " ")}</strong> {error.message}
				</p>
			)}
			{error === undefined && <Json label="Value" value={value} />}
			{stdout !== "" && <Code label="Printed" text={stdout} />}
			{stderr !== "" && <Code label="Printed as errors" text={stderr} />}
		</div>
	);
}

type TypesOf = { readonly namespace: string; readonly q: string };

function Types({ of, onChange }: { of: TypesOf; onChange: (of: TypesOf) => void }) {
	const types = useResource<"codeTypes">(`/api/code/types?${new URLSearchParams(of)}`, [toolsChanged.value]);
	return (
		<div class="stack">
			<div class="filters">
				<div class="fill">
					<input
						type="search"
						aria-label="Search types"
						placeholder="What should the code do?"
						value={of.q}
						onInput={(event) => onChange({ ...of, q: event.currentTarget.value })}
					/>
					<select
						aria-label="Types of"
						value={of.namespace}
						onChange={(event) => onChange({ ...of, namespace: event.currentTarget.value })}
					>
						<option value="">every server</option>
						{types.data?.namespaces.map((name) => (
							<option key={name}>{name}</option>
						))}
					</select>
				</div>
			</div>
			<Loaded from={types}>
				{({ declarations, declared, total }) => (
					<>
						{declared < total && (
							<p class="hint" role="status">
								{`Types of ${declared.toLocaleString()} of ${total.toLocaleString()} tools; search for the others.`}
							</p>
						)}
						<Code label="tools.d.ts" text={declarations} />
					</>
				)}
			</Loaded>
		</div>
	);
}
