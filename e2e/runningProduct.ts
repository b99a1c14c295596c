import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Place } from "./place.ts";
import { until } from "./until.ts";

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

/** Another command line, such as `npm start` in a checkout. */
export type Started = { readonly command: string; readonly args: readonly string[]; readonly cwd: string };

/** Ready for searches too. */
export async function startProduct({ repository, environment }: Place, started?: Started): Promise<RunningProduct> {
	const up = { command: process.execPath, args: [HOLDFAST, "up", "--port", "0"], cwd: repository };
	const product = await bringUp(environment, started ?? up);
	const isIndexed = async () => !(await (await fetch(`${product.address}/readyz`)).text()).includes("indexing");
	await until(isIndexed, "the repository is indexed", 280_000);
	return product;
}

/** Does not wait for the index. */
export async function bringUp(env: NodeJS.ProcessEnv, { command, args, cwd }: Started): Promise<RunningProduct> {
	// A group of its own, since Ctrl-C reaches every process of a terminal's foreground group.
	const child = spawn(command, args, {
		cwd,
		env,
		stdio: ["ignore", "pipe", "pipe"],
		detached: true,
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
	await until(() => isUp() || child.exitCode !== null, "the product is up", 280_000);
	const address = /Holdfast is up at (\S+)/.exec(said.out)?.[1];
	if (address === undefined || child.pid === undefined) throw new Error(`holdfast up ended: ${said.out}${said.err}`);
	const { pid } = child;
	return {
		pid,
		address,
		said: () => ({ ...said }),
		signal: (name) => {
			if (child.exitCode === null && child.signalCode === null) process.kill(-pid, name);
		},
		exited,
	};
}
