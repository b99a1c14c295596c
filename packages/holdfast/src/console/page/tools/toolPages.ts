import { useMemo, useRef, useState } from "preact/hooks";
import type { Tool } from "../../../api/answers.ts";
import { api } from "../api.ts";
import { toolsChanged } from "../live.ts";
import { type Resource, useResource } from "../resource.ts";

/** One element per tool, `undefined` if it is not loaded yet. */
export type ToolPages = { readonly tools: readonly (Tool | undefined)[]; readonly strategy: string };

const PAGE = 200;
/** Rows loaded ahead of the visible ones, so that keyboard navigation does not outrun loading. */
const AHEAD = 60;

/** The tools that match a filter, loaded page by page as the list is scrolled. */
export function useToolPages(filter: { readonly q: string; readonly namespace: string }): Resource<ToolPages> & {
	see(first: number, last: number): void;
} {
	const path = (page: number): string =>
		`/api/tools?${new URLSearchParams({ ...filter, offset: String(page * PAGE), limit: String(PAGE) })}`;
	const head = useResource<"listTools">(path(0), [toolsChanged.value]);
	const [loads, setLoads] = useState(0);
	const pages = useMemo(() => new Map<number, readonly Tool[]>(), [path(0)]);
	// After a change every page is reloaded; the old rows stay visible until then.
	const asked = useMemo(() => new Set([0]), [head.data]);
	const newest = useRef(asked);
	newest.current = asked;
	const data = useMemo(() => {
		if (head.data === undefined) return undefined;
		const { tools, total, strategy } = head.data;
		pages.set(0, tools);
		const at = (place: number) => pages.get(Math.floor(place / PAGE))?.[place % PAGE];
		return { tools: Array.from({ length: total }, (_, place) => at(place)), strategy };
	}, [head.data, pages, loads]);
	const load = async (page: number): Promise<void> => {
		if (asked.has(page)) return;
		asked.add(page);
		try {
			const { tools } = await api<"listTools">(path(page));
			if (newest.current === asked) pages.set(page, tools);
			setLoads((count) => count + 1);
		} catch {
			asked.delete(page);
		}
	};
	return {
		...head,
		data,
		see(first, last) {
			const end = Math.min((head.data?.total ?? 0) - 1, last + AHEAD);
			for (let page = Math.floor(Math.max(0, first - AHEAD) / PAGE); page * PAGE <= end; page++) void load(page);
		},
	};
}
