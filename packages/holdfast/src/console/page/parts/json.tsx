import { Copy } from "./copy.tsx";
import { Scroll } from "./scroll.tsx";
import { visible } from "./visible.ts";

const MAX_SHOWN = 200_000;

/** A value a person can read, scroll and copy; one that is a text is mostly sentences. */
export function Json({ value, label }: { value: unknown; label: string }) {
	if (typeof value === "string") return <Code text={value} label={label} prose />;
	return <Code text={JSON.stringify(value ?? null, undefined, 2)} label={label} />;
}

/** Shows a text verbatim; `prose` wraps, so that nobody has to scroll sideways to read sentences. */
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
