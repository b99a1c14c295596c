import type { ComponentChildren } from "preact";

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
