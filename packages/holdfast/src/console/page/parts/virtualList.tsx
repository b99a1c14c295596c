import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

type VirtualListProps<T> = {
	/** `undefined` keeps the place of an item that is not loaded yet. */
	readonly items: readonly (T | undefined)[];
	readonly rowHeight: number;
	readonly label: string;
	readonly keyOf: (item: T) => string | number;
	readonly children: (item: T) => ComponentChildren;
	/** The key of the chosen item: the list opens scrolled to it, and Tab stops at it. */
	readonly current?: string | number | undefined;
	/** Called when other rows become visible. */
	readonly onSight?: (first: number, last: number) => void;
};

const MARGIN_ROWS = 8;

/**
 * Renders only the visible rows of a list. Each row holds one link. The arrow keys move between links, and Tab stops at
 * only one, so that a second Tab leaves the list. Rows inserted above do not move the visible ones.
 */
export function VirtualList<T>({ items, rowHeight, label, keyOf, children, current, onSight }: VirtualListProps<T>) {
	const place = useRef<HTMLDivElement>(null);
	const rows = useRef<HTMLUListElement>(null);
	/** The row to focus once it has been rendered. */
	const focusOn = useRef<number | undefined>(undefined);
	/** The row that had the focus last. */
	const [active, setActive] = useState(0);
	/** The row at the top. */
	const anchor = useRef<{ readonly key: string | number; readonly index: number } | undefined>(undefined);
	const [view, setView] = useState({ top: 0, height: 600 });
	const first = Math.max(0, Math.floor(view.top / rowHeight) - MARGIN_ROWS);
	const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + MARGIN_ROWS);
	const look = (): void => {
		const list = place.current;
		if (list !== null) setView({ top: list.scrollTop, height: list.clientHeight });
	};
	useEffect(() => {
		const watch = new ResizeObserver(look);
		if (place.current !== null) watch.observe(place.current);
		return () => watch.disconnect();
	}, []);
	useLayoutEffect(() => {
		const list = place.current;
		const chosen = items.findIndex((item) => item !== undefined && keyOf(item) === current);
		if (list === null || chosen === -1) return;
		setActive(chosen);
		if ((chosen + 1) * rowHeight > list.clientHeight) list.scrollTop = chosen * rowHeight - list.clientHeight / 2;
		look();
	}, []);
	useEffect(() => onSight?.(first, last), [first, last, items]);
	useLayoutEffect(() => {
		const list = place.current;
		const before = anchor.current;
		if (list === null || before === undefined || list.scrollTop === 0) return;
		const moved = items.findIndex((item) => item !== undefined && keyOf(item) === before.key) - before.index;
		if (moved <= 0) return;
		list.scrollTop += moved * rowHeight;
		setActive((index) => index + moved);
		look();
	}, [items]);
	useLayoutEffect(() => {
		const top = Math.floor(view.top / rowHeight);
		const item = items[top];
		anchor.current = item === undefined ? undefined : { key: keyOf(item), index: top };
		const links = [...(rows.current?.querySelectorAll<HTMLElement>("li[data-place] a") ?? [])];
		const inSight = links.filter((link) => placeOf(link) >= top);
		const reachable = links.find((link) => placeOf(link) === active) ?? inSight[0];
		for (const link of links) link.tabIndex = link === reachable ? 0 : -1;
	});
	useLayoutEffect(() => {
		if (focusOn.current === undefined) return;
		const link = linkAt(rows.current, focusOn.current);
		// A row that is not loaded has no link, so the list itself takes the focus until it is.
		(link ?? rows.current)?.focus({ preventScroll: true });
		if (link !== null) focusOn.current = undefined;
	});
	const move = (event: KeyboardEvent): void => {
		const end = items.length;
		const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -end, End: end }[event.key];
		const list = place.current;
		const from = focusOn.current ?? focusedPlace();
		if (step === undefined || list === null || from === undefined) return;
		event.preventDefault();
		const target = Math.min(items.length - 1, Math.max(0, from + step));
		const top = target * rowHeight;
		if (top < list.scrollTop) list.scrollTop = top;
		else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
		focusOn.current = target;
		look();
	};
	const leave = ({ relatedTarget }: FocusEvent): void => {
		if (relatedTarget !== null && !rows.current?.contains(relatedTarget as Node)) focusOn.current = undefined;
	};
	return (
		<div ref={place} class="virtual" onScroll={look}>
			<ul
				ref={rows}
				aria-label={label}
				tabIndex={-1}
				onKeyDown={move}
				onFocusIn={({ target }) => {
					if (target instanceof HTMLElement && target !== rows.current) setActive(placeOf(target));
				}}
				onFocusOut={leave}
				style={{ paddingTop: `${first * rowHeight}px`, paddingBottom: `${(items.length - last) * rowHeight}px` }}
			>
				{items.slice(first, last).map((item, index) => (
					<li
						key={item === undefined ? `place ${first + index}` : keyOf(item)}
						data-place={first + index}
						aria-setsize={items.length}
						aria-posinset={first + index + 1}
						style={{ height: `${rowHeight}px` }}
					>
						{item !== undefined && children(item)}
					</li>
				))}
			</ul>
		</div>
	);
}

function linkAt(rows: HTMLElement | null, index: number): HTMLElement | null {
	return rows?.querySelector<HTMLElement>(`li[data-place="${index}"] a`) ?? null;
}

function focusedPlace(): number | undefined {
	const row = document.activeElement?.closest("li[data-place]");
	return row instanceof HTMLElement ? placeOf(row) : undefined;
}

function placeOf(element: HTMLElement): number {
	return Number(element.closest<HTMLElement>("li[data-place]")?.dataset.place);
}
