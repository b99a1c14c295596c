import { useEffect, useRef, useState } from "preact/hooks";
import type { Answers } from "../../../api/answers.ts";
import { type ApiFailure, api, readFailure } from "../api.ts";
import { Button, usePassFocus } from "../parts/buttons.tsx";

type Run<T> = {
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
				(error: unknown) => (own.signal.aborted ? {} : { failure: readFailure(error) }),
			);
			if (current.current === own) setState({ running: false, ...outcome });
		},
	};
}

type RunButtonsProps = {
	readonly label: string;
	readonly of: Pick<Run<unknown>, "running" | "stop">;
	/** Without it the button submits its form. */
	readonly onRun?: () => void;
};

/** A button that starts a run and shows that it is running, and one that cancels it. */
export function RunButtons({ label, of: { running, stop }, onRun }: RunButtonsProps) {
	return (
		<>
			<Button class="primary" type={onRun === undefined ? "submit" : "button"} off={running} onClick={onRun}>
				{running ? "Running…" : label}
			</Button>
			{running && <Cancel onClick={stop} />}
		</>
	);
}

function Cancel({ onClick }: { onClick: () => void }) {
	const button = useRef<HTMLButtonElement>(null);
	usePassFocus(button, (gone) => gone.previousElementSibling);
	return (
		<button ref={button} type="button" onClick={onClick}>
			Cancel
		</button>
	);
}
