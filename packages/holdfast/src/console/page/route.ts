import { signal } from "@preact/signals";

/** Where the page is: `#/view/record?filter=…`. */
export type Place = { readonly view: string; readonly record: string | undefined; readonly query: URLSearchParams };

export const place = signal<Place>(read());
addEventListener("hashchange", () => {
	place.value = read();
});

/** A link to a view, or to one of its records, with filters. */
export function link(
	view: string,
	record?: string | number,
	query: Readonly<Record<string, string | undefined>> = {},
): string {
	const set = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "");
	const text = new URLSearchParams(set).toString();
	const path = record === undefined ? view : `${view}/${encodeURIComponent(record)}`;
	return `#/${path}${text === "" ? "" : `?${text}`}`;
}

/** Changes the address without a history entry: typing in a filter would add one per letter. */
export function replace(hash: string): void {
	history.replaceState(null, "", hash);
	place.value = read();
}

function read(): Place {
	const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
	const [view = "", ...rest] = path.split("/");
	const record = rest.join("/");
	return {
		view: view === "" ? "servers" : view,
		record: record === "" ? undefined : decode(record),
		query: new URLSearchParams(query),
	};
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
