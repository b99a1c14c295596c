import { useMemo, useRef, useState } from "preact/hooks";
import type { Waiting } from "../../../api/answers.ts";
import { api, readFailure } from "../api.ts";
import { toolsChanged } from "../live.ts";
import { Confirm, Copy, usePassFocus } from "../parts/buttons.tsx";
import { Scroll } from "../parts/content.tsx";
import { Empty, Failure, Loaded } from "../parts/states.tsx";
import { showHidden } from "../parts/text.ts";
import { useResource } from "../resource.ts";
import { cutToChanges, diffLines } from "./lineDiff.ts";

/** The tools held until somebody approves them, with what changed. */
export function Approvals() {
	const held = useResource<"listApprovals">("/api/approvals", [toolsChanged.value]);
	return (
		<Loaded from={held}>
			{({ waiting, total, approveAll }) =>
				waiting.length === 0 ? (
					<Empty title="Nothing is waiting for approval">
						A tool whose description or schema changes after it was approved is held here.
					</Empty>
				) : (
					<div class="stack">
						{waiting.map((tool) => (
							<HeldTool key={`${tool.id} ${tool.fingerprint}`} held={tool} onDone={held.reload} />
						))}
						{total > waiting.length && approveAll !== undefined && (
							<p class="hint" role="status">
								{(total - waiting.length).toLocaleString()} more are waiting.{" "}
								<code class="wrap">{showHidden(approveAll)}</code> approves every tool of a server.
							</p>
						)}
					</div>
				)
			}
		</Loaded>
	);
}

function HeldTool({ held, onDone }: { held: Waiting; onDone: () => void }) {
	const [asked, setAsked] = useState(false);
	const article = useRef<HTMLElement>(null);
	// The article disappears once its tool is approved.
	usePassFocus(
		article,
		(gone) => (gone.nextElementSibling ?? gone.previousElementSibling)?.closest("article") ?? gone.closest("main"),
	);
	const [failure, setFailure] = useState<unknown>();
	const approve = async (): Promise<void> => {
		try {
			await api<"approveTool">("/api/approvals", { body: { id: held.id, fingerprint: held.fingerprint } });
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
				<span class="badge long warn">{why}</span>
			</header>
			{held.server !== undefined && (
				<p class="hint wrap">
					Its server is <strong class="wrap">{showHidden(held.server)}</strong>.
				</p>
			)}
			{held.declaredName !== undefined && (
				<p class="hint wrap">
					Its server calls it <strong class="wrap">{showHidden(held.declaredName)}</strong>.
				</p>
			)}
			<Diff of={held.id} before={held.approved} after={held.now} />
			{failure !== undefined && <Failure failure={readFailure(failure)} />}
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
					Models will see this definition and may run the tool.
				</Confirm>
			)}
		</article>
	);
}

/** Rendering more lines would block the page for seconds. */
const MOST_LINES = 5_000;

function Diff({ of, before, after }: { of: string; before: unknown; after: unknown }) {
	const [whole, setWhole] = useState(false);
	const lines = useMemo(
		() => diffLines(before === undefined ? "" : pretty(before), pretty(after)),
		// Every reload makes new objects, so their text is compared.
		[JSON.stringify(before), JSON.stringify(after)],
	);
	const parts = whole ? lines : cutToChanges(lines);
	const left = parts.slice(MOST_LINES);
	return (
		<>
			<Scroll class="diff" label={before === undefined ? `Definition of ${of}` : `What changed in ${of}`}>
				<pre>
					{parts.slice(0, MOST_LINES).map((part, place) =>
						"unchanged" in part ? (
							<Folded key={place} lines={part.unchanged} onOpen={() => setWhole(true)} />
						) : (
							<span key={place} class={part.sign === "+" ? "added" : part.sign === "-" ? "removed" : ""}>
								{`${part.sign} ${showHidden(part.text)}\n`}
							</span>
						),
					)}
				</pre>
			</Scroll>
			{left.length > 0 && (
				<p class="notice warn">
					<span class="wrap">
						{left.length.toLocaleString()} more lines are not shown here; copy the definition to read all of it.
					</span>
					<Copy what={`definition of ${of}`} text={JSON.stringify(after, undefined, 2)} />
				</p>
			)}
		</>
	);
}

function Folded({ lines, onOpen }: { lines: number; onOpen: () => void }) {
	const button = useRef<HTMLButtonElement>(null);
	usePassFocus(button, (gone) => gone.closest("section"));
	return (
		<button ref={button} type="button" class="folded" onClick={onOpen}>
			{lines.toLocaleString()} unchanged lines
		</button>
	);
}

// Shows the line breaks in long texts as such, so that the diff marks only the lines that changed. The pattern consumes
// escapes in pairs, so an escaped backslash before an "n" stays.
function pretty(value: unknown): string {
	return JSON.stringify(value, undefined, 2).replace(/\\(.)/g, (whole, letter) => (letter === "n" ? "\n" : whole));
}
