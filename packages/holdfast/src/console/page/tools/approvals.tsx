import { useRef, useState } from "preact/hooks";
import { api, failureOf } from "../api.ts";
import { toolsChanged } from "../live.ts";
import type { Held } from "../model.ts";
import { Confirm } from "../parts/confirm.tsx";
import { usePassFocus } from "../parts/passFocus.ts";
import { Scroll } from "../parts/scroll.tsx";
import { Empty, Failure, Loaded } from "../parts/states.tsx";
import { visible } from "../parts/visible.ts";
import { useResource } from "../resource.ts";
import { lineDiff } from "./lineDiff.ts";

/** Tools that are not as they were approved, with what changed. */
export function Approvals() {
	const held = useResource<{ waiting: readonly Held[]; total: number }>("/api/approvals", [toolsChanged.value]);
	return (
		<Loaded from={held}>
			{({ waiting, total }) =>
				waiting.length === 0 ? (
					<Empty title="Nothing waits for approval">
						A tool whose description or schema changes after it was approved is held here.
					</Empty>
				) : (
					<div class="stack">
						{waiting.map((tool) => (
							<HeldTool key={`${tool.id} ${tool.fingerprint}`} held={tool} onDone={held.reload} />
						))}
						{total > waiting.length && (
							<p class="hint" role="status">
								{(total - waiting.length).toLocaleString()} more wait.{" "}
								<code>holdfast approve '{waiting[0]?.namespace}:*'</code> approves all of a server.
							</p>
						)}
					</div>
				)
			}
		</Loaded>
	);
}

function HeldTool({ held, onDone }: { held: Held; onDone: () => void }) {
	const [asked, setAsked] = useState(false);
	const article = useRef<HTMLElement>(null);
	// It goes once it is approved.
	usePassFocus(
		article,
		(gone) => (gone.nextElementSibling ?? gone.previousElementSibling)?.closest("article") ?? gone.closest("main"),
	);
	const [failure, setFailure] = useState<unknown>();
	const approve = async (): Promise<void> => {
		try {
			await api("/api/approvals", { body: { id: held.id, fingerprint: held.fingerprint } });
		} catch (error) {
			setFailure(error);
		}
		onDone();
	};
	const why = held.changed.length === 0 ? "never approved before" : `${held.changed.join(" and ")} changed`;
	return (
		<article ref={article} tabIndex={-1} class="card stack" aria-label={`Approval of ${held.id}`}>
			<header class="title">
				<h2 class="wrap">{held.id}</h2>
				<span class="badge warn">{why}</span>
			</header>
			<Diff of={held.id} before={held.approved} after={held.now} />
			{failure !== undefined && <Failure failure={failureOf(failure)} />}
			<div class="actions">
				<button type="button" class="primary" aria-label={`Approve ${held.id}`} onClick={() => setAsked(true)}>
					Approve
				</button>
			</div>
			{asked && (
				<Confirm
					title={`Approve ${held.id}?`}
					action="Approve"
					onYes={() => void approve()}
					onNo={() => setAsked(false)}
				>
					Models will be told of it as shown here, and may run it.
				</Confirm>
			)}
		</article>
	);
}

function Diff({ of, before, after }: { of: string; before: unknown; after: unknown }) {
	const lines = lineDiff(before === undefined ? "" : pretty(before), pretty(after));
	return (
		<Scroll class="diff" label={before === undefined ? `Definition of ${of}` : `What changed in ${of}`}>
			<pre>
				{lines.map(({ sign, text }, place) => (
					<span key={place} class={sign === "+" ? "added" : sign === "-" ? "removed" : ""}>
						{`${sign} ${visible(text)}\n`}
					</span>
				))}
			</pre>
		</Scroll>
	);
}

// Long texts are broken where they have breaks, so that the diff shows the line and not the whole. A backslash before
// an n is none: it is written as two.
function pretty(value: unknown): string {
	return JSON.stringify(value, undefined, 2).replace(/\\(.)/g, (whole, letter) => (letter === "n" ? "\n" : whole));
}
