import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

const packages = new URL("../../packages/", import.meta.url);
const bin = (name: string): string => fileURLToPath(new URL(`${name}/bin/${name}.js`, packages));

export const METATOOLS: string = bin("metatools");
export const HOLDFAST: string = bin("holdfast");
export const PAIROFCLEATS: string = bin("pairofcleats");
export const SYNESTHETIC: string = bin("synesthetic");
export const FEATURES: readonly string[] = script("featureServer.ts");

/** The arguments of Node for one of the programs in this folder. */
export function script(name: string, ...args: readonly string[]): readonly string[] {
	return ["--disable-warning=ExperimentalWarning", fileURLToPath(new URL(name, import.meta.url)), ...args];
}

/** A folder for the whole file of tests. */
export function folderOfFile(): string {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-revisions-"));
	after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	return folder;
}

/** Starts a server on an address of its own, which it prints, and ends it after the last test. */
export function serving(args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
	const child: ChildProcess = spawn(process.execPath, args, {
		stdio: ["ignore", "pipe", "pipe"],
		env: { PATH: process.env.PATH ?? "", ...environment },
	});
	after(async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		const exited = new Promise((resolve) => child.once("exit", resolve));
		child.kill("SIGTERM");
		await exited;
	});
	return new Promise((resolve, reject) => {
		let said = "";
		const read = (chunk: Buffer): void => {
			said += chunk.toString();
			const address = /serving MCP at (\S+)/.exec(said)?.[1];
			if (address !== undefined) resolve(address);
		};
		child.stdout?.on("data", read);
		child.stderr?.on("data", read);
		child.once("exit", (code) => reject(new Error(`it ended with ${code} before it served: ${said}`)));
	});
}
