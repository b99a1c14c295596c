import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Answers } from "../../api/answers.ts";
import { type ApiFailure, api, readFailure } from "./api.ts";
import { epoch } from "./live.ts";

export type Resource<T> = {
	/** The last answer, kept while a newer one loads. */
	readonly data: T | undefined;
	readonly failure: ApiFailure | undefined;
	/** True when loading takes long enough to need a notice. */
	readonly slow: boolean;
	reload(): void;
};

const SLOW_MS = 1_500;

/** Loads what the endpoint with this id answers, and again when `depends` changes or the server comes back. */
export function useResource<Id extends keyof Answers>(
	path: string | undefined,
	depends: readonly unknown[] = [],
	body?: unknown,
): Resource<Answers[Id]> {
	type T = Answers[Id];
	const [state, setState] = useState<{ key: string; data?: T; failure?: ApiFailure }>({ key: "" });
	const [slow, setSlow] = useState(false);
	const [again, setAgain] = useState(0);
	const begun = useRef(0);
	const settled = useRef(0);
	// Started by the first unanswered request, so that constant reloading cannot postpone the notice.
	const patience = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
	const stopWaiting = (): void => {
		clearTimeout(patience.current);
		patience.current = undefined;
		setSlow(false);
	};
	const key = `${path} ${body === undefined ? "" : JSON.stringify(body)}`;
	const stop = useMemo(() => new AbortController(), [key]);
	useEffect(
		() => () => {
			stop.abort();
			stopWaiting();
		},
		[stop],
	);
	useEffect(() => {
		if (path === undefined || epoch.value === 0) return;
		const turn = ++begun.current;
		patience.current ??= setTimeout(() => setSlow(true), SLOW_MS);
		const settle = (outcome: { data?: T; failure?: ApiFailure }): void => {
			// Constant changes must not keep the page from showing the latest finished answer.
			if (turn < settled.current || stop.signal.aborted) return;
			settled.current = turn;
			stopWaiting();
			setState((before) => ({
				key,
				...(before.key === key && before.data !== undefined && { data: before.data }),
				...outcome,
			}));
		};
		api<Id>(path, { signal: stop.signal, ...(body !== undefined && { body }) }).then(
			(data) => settle({ data }),
			(error: unknown) => settle({ failure: readFailure(error) }),
		);
	}, [key, again, epoch.value, ...depends]);
	const current = state.key === key;
	return {
		data: current ? state.data : undefined,
		failure: current ? state.failure : undefined,
		slow,
		reload: () => setAgain((count) => count + 1),
	};
}
