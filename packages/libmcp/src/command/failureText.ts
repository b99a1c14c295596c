import { plainText } from "../render/plainText.ts";

/** An error as one line for people: a system error names its file first, and there is no stack trace. */
export function failureText(thrown: unknown): string {
	if (!(thrown instanceof Error)) return plainText(String(thrown));
	const line = plainText(thrown.message.trim().replace(/(?<!\s)\s*\n\s*/g, " "));
	const match = /^(E[A-Z]+): (.+?), \w+(?: '(.*)')?$/.exec(line);
	if (match === null) return line;
	const [, code = "", says = "", path] = match;
	if ("syscall" in thrown && thrown.syscall === "uv_cwd") return `the folder this was started in is gone (${code})`;
	return path === undefined ? `${says} (${code})` : `${path.split("' -> '")[0]}: ${says} (${code})`;
}
