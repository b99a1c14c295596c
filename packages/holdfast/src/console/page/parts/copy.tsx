import { useState } from "preact/hooks";

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
