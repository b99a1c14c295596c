import { spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { type ApiOptions, startApi } from "../../src/http/startApi.ts";
import { PROGRAM } from "../server/serving.ts";
import type { TestWorkspace } from "../tools/workspace.ts";

export type Served = {
	readonly address: string;
	readonly log: string[];
	close(): Promise<void>;
	get(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
	post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
};

export type Reply = {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	readonly body: unknown;
};

/** Serves the API on a real socket until the test ends. */
export async function serveApi(
	t: Pick<TestContext, "after">,
	space: TestWorkspace,
	options: ApiOptions = {},
): Promise<Served> {
	const log: string[] = [];
	const api = await startApi({
		repositories: [space.root],
		open: { cacheRoot: space.cacheRoot, model: null },
		port: 0,
		log: (line) => log.push(line),
		...options,
	});
	t.after(() => api.close());
	const ask = async (path: string, init: RequestInit): Promise<Reply> => {
		const response = await fetch(api.address + path, init);
		const text = await response.text();
		const isJson = response.headers.get("content-type") === "application/json";
		return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
	};
	return {
		address: api.address,
		log,
		close: () => api.close(),
		get: (path, headers = {}) => ask(path, { headers }),
		post: (path, body, headers = {}) =>
			ask(path, {
				method: "POST",
				headers: { "content-type": "application/json", ...headers },
				body: typeof body === "string" ? body : JSON.stringify(body),
			}),
	};
}

/** Starts the built command on a real socket, with some of its modules replaced. */
export async function spawnApi(
	t: TestContext,
	space: TestWorkspace,
	nodeArgs: readonly string[] = [],
	env: Readonly<Record<string, string>> = {},
): Promise<{ readonly address: string; stderr(): string }> {
	const child = spawn(process.execPath, [...nodeArgs, PROGRAM, "api", "--port", "0", "--repo", space.root], {
		stdio: ["ignore", "pipe", "pipe"],
		env: { ...process.env, PAIROFCLEATS_CACHE_ROOT: space.cacheRoot, ...env },
	});
	const exited = once(child, "exit");
	let stdout = "";
	let stderr = "";
	child.stdout.on("data", (chunk: Buffer) => {
		stdout += chunk.toString("utf8");
	});
	child.stderr.on("data", (chunk: Buffer) => {
		stderr += chunk.toString("utf8");
	});
	t.after(async () => {
		child.kill("SIGTERM");
		await exited;
		if (child.exitCode !== 0) throw new Error(`the API ended with ${child.exitCode}: ${stderr}`);
	});
	await until(() => stdout.includes("\n") || child.exitCode !== null, "the address");
	const address = /http:\S+/.exec(stdout)?.[0];
	if (address === undefined) throw new Error(`no address: ${stdout} ${stderr}`);
	return { address, stderr: () => stderr };
}

export type SentEvent = { readonly event: string; readonly data: unknown };

/** The events of a stream that was read to its end. */
export function eventsOf(text: string): SentEvent[] {
	return text
		.split("\n\n")
		.filter((block) => block.includes("data: "))
		.map((block) => {
			const event = /^event: (.*)$/m.exec(block)?.[1] ?? "";
			return { event, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "null") };
		});
}
