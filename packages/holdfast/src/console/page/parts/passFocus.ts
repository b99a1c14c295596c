import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Moves the focus on when the element that holds it is removed; otherwise the keyboard starts again at the top. */
export function usePassFocus(
	from: RefObject<HTMLElement | null>,
	to: (gone: HTMLElement) => Element | null | undefined,
): void {
	const latest = useRef(to);
	latest.current = to;
	useLayoutEffect(() => {
		const element = from.current;
		return () => {
			if (element === null || !element.contains(document.activeElement)) return;
			const next = latest.current(element);
			if (next instanceof HTMLElement) next.focus({ preventScroll: true });
		};
	}, []);
}
