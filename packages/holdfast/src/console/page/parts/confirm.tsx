import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

type ConfirmProps = {
	readonly title: string;
	readonly action: string;
	readonly children: ComponentChildren;
	readonly onYes: () => void;
	readonly onNo: () => void;
};

/** Asks before an action that other people may notice. */
export function Confirm({ title, action, children, onYes, onNo }: ConfirmProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		dialog.current?.showModal();
	}, []);
	return (
		<dialog ref={dialog} aria-labelledby="confirm-title" onClose={onNo}>
			<h2 id="confirm-title">{title}</h2>
			<div class="wrap">{children}</div>
			<div class="actions end">
				<button type="button" onClick={() => dialog.current?.close()}>
					Cancel
				</button>
				<button
					type="button"
					class="primary"
					onClick={() => {
						onYes();
						dialog.current?.close();
					}}
				>
					{action}
				</button>
			</div>
		</dialog>
	);
}
