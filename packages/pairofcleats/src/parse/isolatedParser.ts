import { type ChildProcess, fork } from "node:child_process";
import type { ParsedFile } from "./chunk.ts";
import { parseLines } from "./parseLines.ts";
import type { RiskRules } from "./risk/rules.ts";

/** Disables V8's optimising WebAssembly compiler; the flag applies only to a whole process. */
const FLAG = "--liftoff-only";

export type IsolatedText = {
	readonly grammar: string;
	readonly language: string;
	readonly text: string;
	/** Defaults to the built-in rules. */
	readonly rules?: RiskRules;
};
export type IsolatedRequest = IsolatedText & { readonly id: number };
export type IsolatedAnswer = { readonly id: number; readonly parsed: ParsedFile | undefined };

type Waiting = {
	readonly text: IsolatedText;
	readonly resolve: (parsed: ParsedFile | undefined) => void;
	readonly child: ChildProcess;
	readonly isRepeated: boolean;
};

let helper: ChildProcess | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

export function isIsolated(): boolean {
	return process.execArgv.includes(FLAG);
}

/**
 * Parses in a child process. It exits with its parent and does not keep the parent alive while idle; if it ends, another
 * one parses its pending texts, and those that end that one too are chunked by lines.
 */
export function parseIsolated(text: IsolatedText): Promise<ParsedFile | undefined> {
	return new Promise((resolve) => send(text, resolve, false));
}

function send(text: IsolatedText, resolve: Waiting["resolve"], isRepeated: boolean): void {
	const child = helper ?? startHelper();
	const id = ++lastId;
	waiting.set(id, { text, resolve, child, isRepeated });
	child.ref();
	child.channel?.ref();
	const request: IsolatedRequest = { id, ...text };
	child.send(request, (error) => {
		if (error) replace(child);
	});
}

function startHelper(): ChildProcess {
	const extension = import.meta.filename.endsWith(".ts") ? ".ts" : ".js";
	const child = fork(new URL(`./isolatedMain${extension}`, import.meta.url), {
		execArgv: [FLAG, "--disable-warning=ExperimentalWarning"],
		serialization: "advanced",
		stdio: ["ignore", "ignore", "ignore", "ipc"],
	});
	helper = child;
	child.on("message", (answer: IsolatedAnswer) => settle(answer.id, answer.parsed));
	child.on("error", () => replace(child));
	child.on("exit", () => replace(child));
	return child;
}

function replace(child: ChildProcess): void {
	if (helper === child) helper = undefined;
	// It ends when it has no parent.
	if (child.connected) child.disconnect();
	for (const [id, { text, resolve, child: asked, isRepeated }] of [...waiting]) {
		if (asked !== child) continue;
		if (isRepeated) settle(id, { ...parseLines(text.language, text.text), parserEnded: true });
		else {
			waiting.delete(id);
			send(text, resolve, true);
		}
	}
}

function settle(id: number, parsed: ParsedFile | undefined): void {
	waiting.get(id)?.resolve(parsed);
	waiting.delete(id);
	if (waiting.size === 0) {
		helper?.unref();
		helper?.channel?.unref();
	}
}
