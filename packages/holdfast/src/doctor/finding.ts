/** The result of one check, or why there was none; problems come with a remedy. */
export type Finding =
	| { readonly verdict: "good" | "skipped"; readonly subject: string; readonly says: string }
	| { readonly verdict: "warn" | "bad"; readonly subject: string; readonly says: string; readonly remedy: string };

export const good = (subject: string, says: string): Finding => ({ verdict: "good", subject, says });
export const skipped = (subject: string, says: string): Finding => ({ verdict: "skipped", subject, says });
export const warn = (subject: string, says: string, remedy: string): Finding => ({
	verdict: "warn",
	subject,
	says,
	remedy,
});
export const bad = (subject: string, says: string, remedy: string): Finding => ({
	verdict: "bad",
	subject,
	says,
	remedy,
});
