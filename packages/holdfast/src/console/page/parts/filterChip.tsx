import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { usePassFocus } from "./passFocus.ts";

/** An active filter; pressing it removes it and moves the focus to the next one or to the search field. */
export function FilterChip({ children, onRemove }: { children: ComponentChildren; onRemove: () => void }) {
	const chip = useRef<HTMLButtonElement>(null);
	usePassFocus(chip, (gone) => gone.nextElementSibling ?? gone.parentElement?.querySelector("input[type=search]"));
	return (
		<button ref={chip} type="button" class="chip" aria-pressed="true" onClick={onRemove}>
			<span class="hidden">Remove filter </span>
			{children} <span aria-hidden="true">✕</span>
		</button>
	);
}
