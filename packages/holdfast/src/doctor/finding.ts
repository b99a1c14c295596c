/** The result of one check, or why there was none; problems come with a remedy. */
export type Finding =
	| { readonly verdict: "good" | "skipped"; readonly subject: string; readonly says: string }
	| { readonly verdict: "warn" | "bad"; readonly subject: string; readonly says: string; readonly remedy: string };

export const passFinding = (subject: string, says: string): Finding => ({ verdict: "good", subject, says });
export const skipFinding = (subject: string, says: string): Finding => ({ verdict: "skipped", subject, says });
export const warnFinding = (subject: string, says: string, remedy: string): Finding => ({
	verdict: "warn",
	subject,
	says,
	remedy,
});
export const failFinding = (subject: string, says: string, remedy: string): Finding => ({
	verdict: "bad",
	subject,
	says,
	remedy,
});
