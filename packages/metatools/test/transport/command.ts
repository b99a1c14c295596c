import { type ChildProcess, spawn } from "node:child_process";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../bin/metatools.js", import.meta.url));
const NOWHERE = "/nonexistent-configuration-folder";
const open = new Set<ChildProcess>();
after(() => {
	for (const child of open) child.kill("SIGKILL");
});

export type Running = {
	readonly child: ChildProcess;
	stderr(): string;
	/** The address the server says it serves at. */
	readonly address: Promise<string>;
	readonly exited: Promise<number | null>;
};

/** The built command, as a user starts it, with no configuration of this machine. */
export function metatools(args: readonly string[], environment: Record<string, string> = {}): Running {
	const child = spawn(process.execPath, [BIN, ...args], {
		stdio: "pipe",
		env: { PATH: process.env.PATH ?? "", HOME: NOWHERE, XDG_CONFIG_HOME: NOWHERE, ...environment },
	});
	open.add(child);
	let stderr = "";
	const address = Promise.withResolvers<string>();
	const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
	void exited.then(() => {
		open.delete(child);
		address.reject(new Error(`it ended before it served: ${stderr}`));
	});
	address.promise.catch(() => {});
	child.stderr?.on("data", (chunk: Buffer) => {
		stderr += chunk.toString();
		const found = /serving MCP at (\S+)/.exec(stderr)?.[1];
		if (found !== undefined) address.resolve(found);
	});
	return { child, stderr: () => stderr, address: address.promise, exited };
}
