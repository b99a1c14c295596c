import { type ChildProcess, fork } from "node:child_process";
import type { ParsedFile } from "./chunk.ts";
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

let helper: ChildProcess | undefined;
let lastId = 0;
const waiting = new Map<number, (parsed: ParsedFile | undefined) => void>();

export function isIsolated(): boolean {
	return process.execArgv.includes(FLAG);
}

/**
 * Parses in a child process. It exits with its parent and does not keep the parent alive while idle; if it crashes, its
 * pending texts resolve to `undefined` and are chunked by lines instead.
 */
export function parseIsolated(text: IsolatedText): Promise<ParsedFile | undefined> {
	const child = helper ?? startHelper();
	const id = ++lastId;
	return new Promise((resolve) => {
		waiting.set(id, resolve);
		child.ref();
		child.channel?.ref();
		const request: IsolatedRequest = { id, ...text };
		child.send(request, (error) => {
			if (error) settle(id, undefined);
		});
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
	const gone = (): void => {
		if (helper === child) helper = undefined;
		for (const id of [...waiting.keys()]) settle(id, undefined);
	};
	child.on("error", gone);
	child.on("exit", gone);
	return child;
}

function settle(id: number, parsed: ParsedFile | undefined): void {
	waiting.get(id)?.(parsed);
	waiting.delete(id);
	if (waiting.size === 0) {
		helper?.unref();
		helper?.channel?.unref();
	}
}
