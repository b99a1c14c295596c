import { useEffect, useRef, useState } from "preact/hooks";
import type { Answers } from "../../../api/answers.ts";
import { type ApiFailure, api, failureOf } from "../api.ts";

export type Run<T> = {
	run(path: string, body: unknown): Promise<void>;
	stop(): void;
	readonly running: boolean;
	readonly failure: ApiFailure | undefined;
	readonly result: T | undefined;
};

/** Runs a request to the endpoint with this id that a person started; `stop` aborts it, and so does leaving the view. */
export function useRun<Id extends keyof Answers>(): Run<Answers[Id]> {
	type T = Answers[Id];
	const [state, setState] = useState<{ running: boolean; failure?: ApiFailure; result?: T }>({ running: false });
	/** Aborts the current run, or the last one. */
	const current = useRef<AbortController | undefined>(undefined);
	const stop = (): void => current.current?.abort();
	useEffect(() => stop, []);
	return {
		running: state.running,
		failure: state.failure,
		result: state.result,
		stop,
		async run(path, body) {
			stop();
			const own = new AbortController();
			current.current = own;
			setState({ running: true });
			const outcome = await api<Id>(path, { body, signal: own.signal }).then(
				(result) => ({ result }),
				(error: unknown) => (own.signal.aborted ? {} : { failure: failureOf(error) }),
			);
			if (current.current === own) setState({ running: false, ...outcome });
		},
	};
}
