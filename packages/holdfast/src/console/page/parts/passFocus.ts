import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Passes the focus on when what has it, or has it within, goes away: else the keyboard starts again at the top. */
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
