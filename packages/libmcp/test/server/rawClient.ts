import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after } from "node:test";

export const ECHO_SERVER: URL = new URL("./fixtures/echoServer.ts", import.meta.url);
export const MODERN_META = {
	"io.modelcontextprotocol/protocolVersion": "2026-07-28",
	"io.modelcontextprotocol/clientCapabilities": {},
};
export const INITIALIZE = {
	protocolVersion: "2025-11-25",
	capabilities: { roots: {} },
	clientInfo: { name: "raw", version: "1.0.0" },
};

const open = new Set<ChildProcess>();
after(() => {
	for (const child of open) child.kill("SIGKILL");
});

export type Line = { readonly text: string; readonly value: Record<string, unknown> };

/** Speaks lines with a server under test and knows nothing of the protocol. */
export class RawClient {
	readonly child: ChildProcess;
	readonly lines: Line[] = [];
	stderr = "";
	readonly exited: Promise<number | null>;
	#waiting: (() => void)[] = [];

	constructor(command: readonly string[], environment: NodeJS.ProcessEnv = process.env) {
		this.child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...command], {
			stdio: "pipe",
			env: environment,
		});
		open.add(this.child);
		this.exited = new Promise((resolve) => this.child.once("exit", resolve));
		void this.exited.then(() => open.delete(this.child));
		this.child.stderr?.on("data", (chunk: Buffer) => {
			this.stderr += chunk.toString();
			this.#wake();
		});
		// A server that ends may leave some of it unread.
		this.child.stdin?.on("error", () => {});
		if (this.child.stdout === null) throw new Error("no output");
		createInterface({ input: this.child.stdout }).on("line", (text) => {
			this.lines.push({ text, value: JSON.parse(text) as Record<string, unknown> });
			this.#wake();
		});
	}

	send(message: unknown): void {
		this.sendText(JSON.stringify(message));
	}

	/** From now on nothing the server says is read. */
	deafen(): void {
		this.child.stdout?.removeAllListeners("data").pause();
	}

	/** Bytes the server has not taken yet. */
	get unsent(): number {
		return this.child.stdin?.writableLength ?? 0;
	}

	sendText(text: string): void {
		this.child.stdin?.write(`${text}\n`);
	}

	async handshake(): Promise<Line> {
		this.send({ jsonrpc: "2.0", id: "handshake", method: "initialize", params: INITIALIZE });
		const answer = await this.find((line) => line.value.id === "handshake");
		this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
		return answer;
	}

	find(matches: (line: Line) => boolean): Promise<Line> {
		return this.until(() => this.lines.find(matches), "a message");
	}

	async until<T>(look: () => T | undefined | false, what: string): Promise<T> {
		const deadline = performance.now() + 60_000;
		for (;;) {
			const found = look();
			if (found !== undefined && found !== false) return found;
			if (performance.now() > deadline)
				throw new Error(`waited for ${what}; lines: ${JSON.stringify(this.lines)} ${this.stderr}`);
			await new Promise<void>((resolve) => {
				this.#waiting.push(resolve);
				setTimeout(resolve, 50);
			});
		}
	}

	async close(): Promise<number | null> {
		this.child.stdin?.end();
		return this.exited;
	}

	#wake(): void {
		for (const resolve of this.#waiting.splice(0)) resolve();
	}
}
