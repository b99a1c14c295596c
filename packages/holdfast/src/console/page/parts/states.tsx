import type { ComponentChildren } from "preact";
import type { ApiFailure } from "../api.ts";
import type { Resource } from "../resource.ts";

/** A record that the server has dropped does not come back on a retry, and a mistake in a request stays one. */
const FINAL: ReadonlySet<string> = new Set(["not_found", "invalid_request"]);

/** Shows what was loaded, or that it is loading, slow or failed. */
export function Loaded<T>({ from, children }: { from: Resource<T>; children: (data: T) => ComponentChildren }) {
	const { data, failure, slow, reload } = from;
	const retry = failure !== undefined && FINAL.has(failure.code) ? undefined : reload;
	if (data !== undefined)
		return (
			<>
				{failure !== undefined && failure.status !== 0 && <Failure failure={failure} retry={retry} />}
				{children(data)}
			</>
		);
	if (failure !== undefined) return <Failure failure={failure} retry={retry} />;
	return <Loading slow={slow} />;
}

export function Loading({ slow = false }: { slow?: boolean }) {
	return (
		<div class="loading" role="status">
			<span class="spinner" aria-hidden="true" />
			{slow ? "Still waiting for the server…" : "Loading…"}
		</div>
	);
}

export function Failure({ failure, retry }: { failure: ApiFailure; retry?: (() => void) | undefined }) {
	return (
		<div class="notice bad" role="alert">
			<strong>{failure.status === 0 ? "No answer" : failure.code.replaceAll("_", " ")}</strong>
			<span class="wrap">{failure.message}</span>
			{retry !== undefined && (
				<button type="button" onClick={retry}>
					Try again
				</button>
			)}
		</div>
	);
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
	return (
		<div class="empty">
			<p class="empty-title">{title}</p>
			{children !== undefined && <p>{children}</p>}
		</div>
	);
}
