import type { ComponentChildren, ComponentProps, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

type ButtonProps = ComponentProps<"button"> & {
	/** While true, pressing the button does nothing. */
	readonly off: boolean;
};

/** A button that keeps the focus while off; a `disabled` one loses it, and the keyboard starts again at the top. */
export function Button({ off, onClick, ...rest }: ButtonProps) {
	return (
		<button
			{...rest}
			aria-disabled={off}
			onClick={(event) => {
				// Enter in a field clicks the submit button, so the form must be stopped here.
				if (off) event.preventDefault();
				else onClick?.(event);
			}}
		/>
	);
}

/** A button that copies a text, including what the page does not show of it. */
export function Copy({ text, what }: { text: string; what: string }) {
	const [copied, setCopied] = useState(false);
	const copy = async (): Promise<void> => {
		await writeClipboard(text);
		setCopied(true);
		setTimeout(() => setCopied(false), 1_500);
	};
	return (
		<button type="button" class="quiet" aria-label={`Copy ${what}`} onClick={() => void copy().catch(() => {})}>
			{copied ? "Copied" : "Copy"}
		</button>
	);
}

/** Over plain HTTP from another machine browsers offer no clipboard API; the older `execCommand` still works. */
async function writeClipboard(text: string): Promise<void> {
	if (window.isSecureContext) return navigator.clipboard.writeText(text);
	const field = document.createElement("textarea");
	field.value = text;
	const before = document.activeElement;
	document.body.append(field);
	field.select();
	document.execCommand("copy");
	field.remove();
	if (before instanceof HTMLElement) before.focus();
}

/** An active filter; pressing it removes it and moves the focus to the next one or to the search field. */
export function FilterChip({ children, onRemove }: { children: ComponentChildren; onRemove: () => void }) {
	const chip = useRef<HTMLButtonElement>(null);
	usePassFocus(chip, (gone) => gone.nextElementSibling ?? gone.parentElement?.querySelector("input[type=search]"));
	return (
		<button ref={chip} type="button" class="chip" aria-pressed="true" onClick={onRemove}>
			<span class="hidden">Remove filter </span>
			{children} <span aria-hidden="true">✕</span>
		</button>
	);
}

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

/** Moves the focus on when the element that holds it is removed; otherwise the keyboard starts again at the top. */
export function usePassFocus(
	from: RefObject<HTMLElement | null>,
	to: (gone: HTMLElement) => Element | null | undefined,
): void {
	const latest = useRef(to);
	latest.current = to;
	useLayoutEffect(() => {
		const element = from.current;
		return () => {
			if (element === null || !element.contains(document.activeElement)) return;
			const next = latest.current(element);
			if (next instanceof HTMLElement) next.focus({ preventScroll: true });
		};
	}, []);
}
