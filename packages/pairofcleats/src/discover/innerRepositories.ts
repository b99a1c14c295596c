import { submodulesOf } from "../git/submodules.ts";

/** A repository nested in another one, by its path there. */
export type InnerRepository =
	| { readonly kind: "listed"; readonly place: string }
	/** A submodule that was not fetched, so its folder is empty. */
	| { readonly kind: "unfetched"; readonly place: string }
	| { readonly kind: "failed"; readonly place: string; readonly reason: string };

/** Warnings about nested repositories whose files or history are missing from the index. */
export function innerWarnings(root: string, inner: readonly InnerRepository[]): string[] {
	if (inner.length === 0) return [];
	const known = new Set(submodulesOf(root));
	const apart = inner.filter(({ kind, place }) => kind === "listed" && !known.has(place));
	const unfetched = inner.filter(({ kind }) => kind === "unfetched");
	const warnings = inner.flatMap((one) =>
		one.kind === "failed" ? `nothing is found in ${one.place}: git could not list its files (${one.reason})` : [],
	);
	if (apart.length > 0)
		warnings.push(
			`filters by author, date and churn leave out all of ${named(apart)}: the history there is that of another git repository, which is not read`,
		);
	if (unfetched.length > 0)
		warnings.push(
			`nothing is found in ${named(unfetched)}: not fetched yet; git submodule update --init fetches submodules`,
		);
	return warnings;
}

const MOST_NAMED = 5;

function named(inner: readonly InnerRepository[]): string {
	const places = inner.slice(0, MOST_NAMED).map(({ place }) => place);
	const others = inner.length - places.length;
	return `${places.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}
