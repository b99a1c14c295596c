import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Place } from "./place.ts";

export const HOLDFAST: string = fileURLToPath(new URL("../packages/holdfast/bin/holdfast.js", import.meta.url));

/** `holdfast up` as a person has it in a terminal. */
export type RunningProduct = {
	readonly pid: number;
	readonly address: string;
	/** Everything it printed so far, on both streams. */
	said(): { readonly out: string; readonly err: string };
	signal(name: NodeJS.Signals): void;
	readonly exited: Promise<number | null>;
};

export async function startProduct(place: Place, args: readonly string[] = []): Promise<RunningProduct> {
	const child = spawn(process.execPath, [HOLDFAST, "up", "--port", "0", ...args], {
		cwd: place.repository,
		env: place.environment,
		stdio: ["ignore", "pipe", "pipe"],
	});
	const said = { out: "", err: "" };
	child.stdout.on("data", (chunk: Buffer) => {
		said.out += chunk.toString();
	});
	child.stderr.on("data", (chunk: Buffer) => {
		said.err += chunk.toString();
	});
	const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
	const isUp = () => said.out.includes("Ctrl-C stops everything");
	await eventually("the product is up", () => isUp() || child.exitCode !== null, 120_000);
	const address = /Holdfast is up at (\S+)/.exec(said.out)?.[1];
	if (address === undefined || child.pid === undefined) throw new Error(`holdfast up ended: ${said.out}${said.err}`);
	return {
		pid: child.pid,
		address,
		said: () => ({ ...said }),
		signal: (name) => void child.kill(name),
		exited,
	};
}

/** Waits until it holds, and says what was waited for when it never does. */
export async function eventually(
	what: string,
	holds: () => boolean | Promise<boolean>,
	withinMs = 60_000,
): Promise<void> {
	for (const end = performance.now() + withinMs; performance.now() < end; await delay(25)) if (await holds()) return;
	throw new Error(`never: ${what}`);
}
