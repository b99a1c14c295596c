import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { host } from "../../src/control/host.ts";
import type { Host } from "../../src/control/hostHandle.ts";
import type { HostOptions } from "../../src/host/settings/options.ts";

export type Message = {
	readonly id?: unknown;
	readonly method?: string;
	readonly params?: Record<string, unknown>;
	readonly result?: {
		readonly content?: readonly { readonly text: string }[];
		readonly structuredContent?: unknown;
		readonly [key: string]: unknown;
	};
	readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
};

const FIXTURE: string = fileURLToPath(new URL("./fixtureServer.ts", import.meta.url));

/** A host before the fixture server, in this process, and a client that counts every answer. */
export class Bench {
	readonly host: Host;
	readonly received: Message[] = [];
	readonly raw: string[] = [];
	readonly folder: string = mkdtempSync(join(tmpdir(), "libmcp-host-"));
	readonly #input = new PassThrough();
	readonly output: PassThrough = new PassThrough();
	readonly #waiting = new Map<string, (message: Message) => void>();
	#nextId = 0;
	#partial = "";

	constructor(t: TestContext, options: Partial<HostOptions> = {}, env: Record<string, string> = {}) {
		this.output.on("data", (chunk: Buffer) => this.#read(chunk));
		this.host = host({
			...FIXTURE_COMMAND,
			onWorkerStderr: () => {},
			onWorkerGarbage: () => {},
			graceMs: 300,
			...options,
			env: { ...env, EFFECTS: join(this.folder, "effects") },
			client: { input: this.#input, output: this.output },
		});
		t.after(async () => {
			await this.close();
			rmSync(this.folder, { recursive: true, force: true });
		});
	}

	async initialize(): Promise<Message> {
		const answer = await this.request("initialize", {
			protocolVersion: "2025-11-25",
			capabilities: {},
			clientInfo: { name: "test", version: "1" },
		});
		this.notify("notifications/initialized");
		await this.request("tools/list");
		return answer;
	}

	/** A bench whose session has been opened. */
	static async initialized(...given: ConstructorParameters<typeof Bench>): Promise<Bench> {
		const bench = new Bench(...given);
		await bench.initialize();
		return bench;
	}

	/** Rolls out a release, which must succeed. */
	async rollOut(...release: Parameters<Host["rollout"]>): Promise<void> {
		const outcome = await this.host.rollout(...release);
		if (!outcome.ok) assert.fail(`the rollout failed: ${outcome.fault.code}: ${outcome.fault.detail}`);
	}

	request(method: string, params: unknown = {}, id: unknown = ++this.#nextId): Promise<Message> {
		const answered = new Promise<Message>((resolve) => this.#waiting.set(JSON.stringify(id), resolve));
		this.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
		return answered;
	}

	tool(name: string, args: Record<string, unknown> = {}): Promise<Message> {
		return this.request("tools/call", { name, arguments: args });
	}

	notify(method: string, params: Record<string, unknown> = {}): void {
		this.write(JSON.stringify({ jsonrpc: "2.0", method, params }));
	}

	write(line: string, end = "\n"): void {
		this.#input.write(`${line}${end}`);
	}

	/** Answers that bear this id. */
	answers(id: unknown): Message[] {
		return this.received.filter((message) => message.id === id && message.method === undefined);
	}

	notifications(method: string): Message[] {
		return this.received.filter((message) => message.method === method);
	}

	effects(tool: string): string[] {
		try {
			const lines = readFileSync(join(this.folder, "effects"), "utf8").split("\n");
			return lines.filter((line) => line.startsWith(`${tool} `));
		} catch {
			return [];
		}
	}

	killWorker(signal: NodeJS.Signals = "SIGKILL"): void {
		const { workerPid } = this.host.state();
		if (workerPid === undefined) return;
		try {
			process.kill(workerPid, signal);
		} catch {
			// Gone already, which the host has yet to notice.
		}
	}

	async close(): Promise<void> {
		const ended = this.#input.readableEnded || once(this.#input, "end");
		this.#input.end();
		await Promise.race([ended, this.host.closed]);
		await this.host.close();
	}

	#read(chunk: Buffer): void {
		const lines = (this.#partial + chunk.toString()).split("\n");
		this.#partial = lines.pop() ?? "";
		for (const line of lines) {
			this.raw.push(line);
			const message = JSON.parse(line) as Message;
			this.received.push(message);
			if (message.method !== undefined) continue;
			const key = JSON.stringify(message.id);
			this.#waiting.get(key)?.(message);
			this.#waiting.delete(key);
		}
	}
}

export const FIXTURE_COMMAND = {
	command: process.execPath,
	args: ["--disable-warning=ExperimentalWarning", FIXTURE],
} as const;

export function textOf(message: Message): string {
	return message.result?.content?.[0]?.text ?? "";
}

export function faultOf(message: Message): Record<string, unknown> {
	const fault = message.error?.data?.fault;
	return typeof fault === "object" && fault !== null ? { ...fault } : {};
}
