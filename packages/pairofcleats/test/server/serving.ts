import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { resolvePointer } from "libmcp";
import { type Answer, leftovers, sessionMark, TestClient } from "libmcp/testing";
import type { Envelope } from "../../src/contract/envelope.ts";
import type { TestWorkspace } from "../tools/workspace.ts";

/** Reads a nested member of an unchecked value. */
export { resolvePointer as at } from "libmcp";

/** The array at a pointer; throws if there is none. */
export function listAt(value: unknown, pointer: string): unknown[] {
	const list = resolvePointer(value, pointer);
	if (!Array.isArray(list)) throw new Error(`${pointer}: expected an array in ${JSON.stringify(value)}`);
	return list;
}

/** Node arguments that replace one of the server's modules. */
export function replacing(path: string, source: string): string[] {
	const hook = `import{registerHooks}from"node:module";registerHooks({load(u,c,n){return u.endsWith(${JSON.stringify(path)})?{format:"module",shortCircuit:true,source:${JSON.stringify(source)}}:n(u,c)}})`;
	return ["--import", `data:text/javascript,${encodeURIComponent(hook)}`];
}

/** Where the server's own data is in the handshake and in the discovery response. */
export const BLOCK = "/capabilities/experimental/pairofcleats";
export const PROGRAM = fileURLToPath(new URL("../../bin/pairofcleats.js", import.meta.url));

export type ServeOptions = {
	readonly env?: Readonly<Record<string, string>>;
	readonly args?: readonly string[];
	readonly nodeArgs?: readonly string[];
	/** Another program instead of the command itself. */
	readonly program?: string;
	readonly hosted?: boolean;
	readonly modern?: boolean;
	/** Names no repository, so the server uses the folder it is started in. */
	readonly alone?: boolean;
	/** Leaves the handshake to the test. */
	readonly raw?: boolean;
};

export type Served = {
	readonly client: TestClient;
	readonly child: ChildProcess;
	/** Every line written by the server, verbatim. */
	readonly lines: string[];
	stderr(): string;
	/** The live processes of this server, including itself. */
	living(): number[];
	stop(): Promise<number | null>;
};

/** Starts the built server on real pipes with its own cache; nothing outlives the test. */
export async function serve(
	t: Pick<TestContext, "after">,
	space: TestWorkspace,
	options: ServeOptions = {},
): Promise<Served> {
	const mark = sessionMark();
	const repo = options.alone ? [] : ["--repo", space.root];
	const args = ["mcp", ...(options.hosted ? [] : ["--direct"]), ...repo, ...(options.args ?? [])];
	const child = spawn(process.execPath, [...(options.nodeArgs ?? []), options.program ?? PROGRAM, ...args], {
		stdio: "pipe",
		cwd: space.base,
		env: {
			...process.env,
			PAIROFCLEATS_CACHE_ROOT: space.cacheRoot,
			XDG_RUNTIME_DIR: space.base,
			XDG_DATA_HOME: space.base,
			...mark.env,
			...options.env,
		},
	});
	const exited = once(child, "exit");
	const lines: string[] = [];
	let rest = "";
	let stderr = "";
	const copy = new PassThrough();
	child.stdout.on("data", (chunk: Buffer) => {
		const parts = (rest + chunk.toString("utf8")).split("\n");
		rest = parts.pop() ?? "";
		lines.push(...parts);
	});
	child.stdout.pipe(copy);
	child.stderr.on("data", (chunk: Buffer) => {
		stderr += chunk.toString("utf8");
	});
	child.stdin.on("error", () => {});
	const client = new TestClient({ from: copy, to: child.stdin }, { modern: options.modern === true });
	const stop = async (): Promise<number | null> => {
		child.stdin.end();
		const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
		await exited;
		clearTimeout(late);
		return child.exitCode;
	};
	t.after(async () => {
		await stop();
		const left = await leftovers(mark, 30_000);
		for (const pid of left) process.kill(pid, "SIGKILL");
		if (left.length > 0) throw new Error(`processes outlived the server: ${left.join(", ")}`);
	});
	if (options.raw !== true) await client.connect();
	return { client, child, lines, stderr: () => stderr, living: () => mark.living(), stop };
}

/** The envelope in a response to tools/call. */
export function envelopeOf(answer: Answer): Envelope {
	const envelope = answer.result?.structuredContent;
	if (typeof envelope !== "object" || envelope === null) throw new Error(`no envelope: ${JSON.stringify(answer)}`);
	return envelope as Envelope;
}

export function resultOf(answer: Answer): Readonly<Record<string, unknown>> {
	const envelope = envelopeOf(answer);
	if (!envelope.ok) throw new Error(`failed: ${JSON.stringify(envelope.error)}`);
	return envelope.result;
}

export function errorCodeOf(answer: Answer): string | undefined {
	const envelope = envelopeOf(answer);
	return envelope.ok ? undefined : envelope.error.code;
}
