import { useRef } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { usePassFocus } from "../parts/passFocus.ts";
import type { Run } from "./run.ts";

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
