import { signal } from "@preact/signals";
import { useId, useRef, useState } from "preact/hooks";
import type { Answers } from "../../../api/answers.ts";
import { parseExactly } from "../exactJson.ts";
import { toolsChanged } from "../live.ts";
import { usePassFocus } from "../parts/buttons.tsx";
import { Json } from "../parts/content.tsx";
import { Failure } from "../parts/states.tsx";
import { useResource } from "../resource.ts";
import { link } from "../route.ts";
import { findArguments, hasOthers, isRequired, listProperties } from "./argumentSchema.ts";
import { RunButtons, useRun } from "./run.tsx";

type Step = { readonly key: number; readonly toolId: string; readonly args: string };

/** Kept outside the component, so that the steps survive a visit to another page. */
const steps = signal<readonly Step[]>([{ key: 0, toolId: "", args: "{}" }]);
let nextKey = 1;

/** Builds and runs a chain of tools, in which each step can use earlier results. */
export function ChainBuilder() {
	/** The keys of the steps that were run; the steps may have changed since. */
	const [ran, setRan] = useState<readonly number[]>([]);
	const [problem, setProblem] = useState<string | undefined>();
	const { run, stop, running, failure, result } = useRun<"runChain">();
	const change = (key: number, step: Partial<Step>): void => {
		steps.value = steps.value.map((one) => (one.key === key ? { ...one, ...step } : one));
	};
	const remove = (key: number): void => {
		steps.value = steps.value.filter((one) => one.key !== key);
	};
	const add = (): void => {
		steps.value = [...steps.value, { key: nextKey++, toolId: "", args: "{}" }];
	};
	const start = (): void => {
		const read = readSteps(steps.value);
		setProblem(typeof read === "string" ? read : undefined);
		if (typeof read === "string") return;
		setRan(steps.value.map(({ key }) => key));
		void run("/api/chain", { steps: read });
	};
	return (
		<form
			class="stack"
			aria-label="Chain"
			onSubmit={(event) => {
				event.preventDefault();
				start();
			}}
		>
			<p class="hint">
				In arguments, <code>{'{"$from": "steps/0/structured/…"}'}</code> inserts the result of an earlier step.
			</p>
			<ol class="steps">
				{steps.value.map((step, place) => (
					<li key={step.key} class="card stack">
						<StepFields
							place={place}
							step={step}
							onChange={(changed) => change(step.key, changed)}
							onRemove={steps.value.length > 1 ? () => remove(step.key) : undefined}
						/>
						<div aria-live="polite">
							<StepResult place={place} result={result?.results[ran.indexOf(step.key)]} />
						</div>
					</li>
				))}
			</ol>
			{problem !== undefined && (
				<p class="notice bad" role="alert">
					{problem}
				</p>
			)}
			{failure !== undefined && <Failure failure={failure} />}
			<div class="actions">
				<button type="button" onClick={add}>
					Add a step
				</button>
				<RunButtons label="Run the chain" of={{ running, stop }} />
			</div>
		</form>
	);
}

type StepFieldsProps = {
	place: number;
	step: Step;
	onChange: (step: Partial<Step>) => void;
	onRemove: (() => void) | undefined;
};

/** More than the field's drop-down can show. */
const SUGGESTED = 100;

function StepFields({ place, step, onChange, onRemove }: StepFieldsProps) {
	const list = useId();
	const fields = useRef<HTMLDivElement>(null);
	usePassFocus(fields, (gone) => {
		const step = gone.closest("li");
		return (step?.nextElementSibling ?? step?.previousElementSibling)?.querySelector("input");
	});
	const fitting = useResource<"listTools">(
		`/api/tools?${new URLSearchParams({ id: step.toolId, limit: String(SUGGESTED) })}`,
		[toolsChanged.value],
	);
	return (
		<div ref={fields} class="stack">
			<datalist id={list}>
				{fitting.data?.tools.map(({ id }) => (
					<option key={id} value={id} />
				))}
			</datalist>
			<label class="field">
				<span>Tool of step {place}</span>
				<input
					list={list}
					placeholder="server:tool"
					required
					spellcheck={false}
					value={step.toolId}
					onInput={(event) => onChange({ toolId: event.currentTarget.value })}
				/>
			</label>
			<label class="field">
				<span>
					Arguments of step {place} <span class="muted">JSON</span>
				</span>
				<textarea
					rows={3}
					spellcheck={false}
					value={step.args}
					onInput={(event) => onChange({ args: event.currentTarget.value })}
				/>
			</label>
			{fitting.data?.tools.some(({ id }) => id === step.toolId) === true && <Taken by={step.toolId} />}
			{onRemove !== undefined && (
				<div class="actions">
					<button type="button" class="quiet" onClick={onRemove}>
						Remove step {place}
					</button>
				</div>
			)}
		</div>
	);
}

const SHOWN_FIELDS = 30;

/** Lists a tool's argument names, which are hard to guess while writing JSON. */
function Taken({ by }: { by: string }) {
	const details = useResource<"describeTool">(`/api/tools/${encodeURIComponent(by)}`, [toolsChanged.value]);
	if (details.data === undefined) return null;
	const schema = findArguments(details.data.definition);
	const names = Object.keys(listProperties(schema));
	const shown = names.slice(0, SHOWN_FIELDS).map((name) => (isRequired(schema, name) ? `${name} (required)` : name));
	const more = names.length > SHOWN_FIELDS ? ` and ${names.length - SHOWN_FIELDS} more` : "";
	const others = hasOthers(schema) ? [names.length === 0 ? "any arguments" : "others"] : [];
	const taken = [...shown, ...others].join(", ");
	return (
		<p class="hint wrap" role="status">
			{taken === "" ? "It takes no arguments." : `It takes ${taken}${more}.`}{" "}
			<a href={link("tools", by)}>Open the tool</a>
		</p>
	);
}

function StepResult({ place, result }: { place: number; result: Answers["runChain"]["results"][number] | undefined }) {
	if (result === undefined) return null;
	if (result.error !== undefined) return <p class="notice bad wrap">{result.error.message}</p>;
	return <Json label={`Result of step ${place}`} value={result.structured} />;
}

function readSteps(steps: readonly Step[]): { tool_id: string; args: unknown }[] | string {
	const read: { tool_id: string; args: unknown }[] = [];
	for (const [place, { toolId, args }] of steps.entries()) {
		try {
			read.push({ tool_id: toolId, args: parseExactly(args.trim() === "" ? "{}" : args) });
		} catch {
			return `step ${place}: expected its arguments to be JSON`;
		}
	}
	return read;
}
