import { type ComponentChildren, Fragment } from "preact";
import { Copy } from "./buttons.tsx";
import { showHidden, splitMarked } from "./text.ts";

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
					{showHidden(text.slice(0, MAX_SHOWN))}
					{text.length > MAX_SHOWN && `\n… ${text.length - MAX_SHOWN} characters more`}
				</pre>
			</Scroll>
		</div>
	);
}

type Content = { readonly type?: unknown; readonly data?: unknown; readonly mimeType?: unknown };

/** Shows the images and plays the audio in a tool's answer; the rest is shown as text elsewhere. */
export function Media({ content }: { content: readonly Content[] }) {
	const pictures = content.flatMap((part) => addressOf(part, "image"));
	const sounds = content.flatMap((part) => addressOf(part, "audio"));
	return (
		<>
			{pictures.map((address, place) => (
				<img key={place} class="picture" src={address} alt={`Number ${place + 1} in the answer`} />
			))}
			{sounds.map((address, place) => (
				// biome-ignore lint/a11y/useMediaCaption: servers send no captions
				<audio key={place} controls src={address} aria-label={`Sound ${place + 1} of the answer`} />
			))}
		</>
	);
}

/** Checks the media type and the data strictly, because untrusted text becomes a data URL. */
function addressOf({ type, data, mimeType }: Content, kind: "image" | "audio"): string[] {
	if (type !== kind || typeof data !== "string" || typeof mimeType !== "string") return [];
	const isKnown = mimeType.startsWith(`${kind}/`) && /^\w+\/[\w.+-]+$/.test(mimeType);
	return isKnown && /^[A-Za-z0-9+/]+={0,2}$/.test(data) ? [`data:${mimeType};base64,${data}`] : [];
}

type ScrollProps = { readonly label: string; readonly class?: string; readonly children: ComponentChildren };

/** A part of the page that scrolls by itself, and can be reached and scrolled by keyboard. */
export function Scroll({ label, class: kind = "", children }: ScrollProps) {
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll here
		<section class={`scroll ${kind}`} aria-label={label} tabIndex={0}>
			{children}
		</section>
	);
}

/** A line of a file, with the words of a query highlighted and without what ends the line on other systems. */
export function Marked({ text, q }: { text: string; q: string }) {
	const pieces = splitMarked(text.replace(/\r$/, ""), q).map(showHidden);
	return <>{pieces.map((piece, place) => (place % 2 === 1 ? <mark key={place}>{piece}</mark> : piece))}</>;
}

/** A path whose folders stay in their order, whichever way the letters of each of them run. */
export function Path({ path }: { path: string }) {
	return (
		<>
			{path.split(/(?<=\/)/).map((part, place) => (
				<bdi key={place} dir="ltr">
					{showHidden(part)}
				</bdi>
			))}
		</>
	);
}

/** A long name that wraps between its parts, not inside one. */
export function Breakable({ text }: { text: string }) {
	return (
		<>
			{text.split(/(?<=[:_./-])/).map((part, place) => (
				<Fragment key={place}>
					{place > 0 && <wbr />}
					{part}
				</Fragment>
			))}
		</>
	);
}
