import { useState } from "preact/hooks";
import { Scroll } from "./scroll.tsx";
import { visible } from "./visible.ts";

const MAX_SHOWN = 200_000;

/** A value a person can read, scroll and copy. */
export function Json({ value, label }: { value: unknown; label: string }) {
	const text = typeof value === "string" ? value : JSON.stringify(value ?? null, undefined, 2);
	return <Code text={text} label={label} />;
}

/** A text as it is; `prose` is broken where it is too wide, since nobody reads sentences sideways. */
export function Code({ text, label, prose = false }: { text: string; label: string; prose?: boolean }) {
	return (
		<div class={`code-block ${prose ? "prose" : ""}`}>
			<div class="code-head">
				<span>{label}</span>
				<Copy text={text} what={label} />
			</div>
			<Scroll label={label}>
				<pre dir={prose ? "auto" : undefined}>
					{visible(text.slice(0, MAX_SHOWN))}
					{text.length > MAX_SHOWN && `\n… ${text.length - MAX_SHOWN} characters more`}
				</pre>
			</Scroll>
		</div>
	);
}

function Copy({ text, what }: { text: string; what: string }) {
	const [copied, setCopied] = useState(false);
	const copy = async (): Promise<void> => {
		await writeClipboard(text);
		setCopied(true);
		setTimeout(() => setCopied(false), 1_500);
	};
	return (
		<button type="button" class="quiet" aria-label={`Copy ${what}`} onClick={() => void copy().catch(() => {})}>
			{copied ? "Copied" : "Copy"}
		</button>
	);
}

/** Over plain HTTP from another machine browsers offer no clipboard API; the older `execCommand` still works. */
async function writeClipboard(text: string): Promise<void> {
	if (window.isSecureContext) return navigator.clipboard.writeText(text);
	const field = document.createElement("textarea");
	field.value = text;
	const before = document.activeElement;
	document.body.append(field);
	field.select();
	document.execCommand("copy");
	field.remove();
	if (before instanceof HTMLElement) before.focus();
}
