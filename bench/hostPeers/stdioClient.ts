import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A client that does as little as it can, so that what is measured is the other side. */
export class StdioClient {
	readonly child: ChildProcess;
	readonly pid: number;
	readonly #waiting = new Map<number, () => void>();
	#next = 0;
	#rest = "";

	constructor(command: readonly string[]) {
		const [program = "", ...args] = command;
		this.child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
		this.pid = this.child.pid ?? 0;
		this.child.stdout?.setEncoding("latin1");
		this.child.stdout?.on("data", (chunk: string) => this.#take(chunk));
	}

	/** Resolves with the milliseconds to the answer of the handshake. */
	async connect(): Promise<number> {
		const began = performance.now();
		await this.request("initialize", {
			protocolVersion: "2025-11-25",
			capabilities: {},
			clientInfo: { name: "bench", version: "1" },
		});
		const spent = performance.now() - began;
		this.child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
		return spent;
	}

	request(method: string, params: unknown): Promise<void> {
		const id = ++this.#next;
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#waiting.set(id, resolve);
		this.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
		return promise;
	}

	echo(text: string, ms?: number): Promise<void> {
		return this.request("tools/call", { name: "echo", arguments: ms === undefined ? { text } : { text, ms } });
	}

	async close(): Promise<void> {
		const gone = this.child.exitCode !== null || this.child.signalCode !== null ? undefined : once(this.child, "exit");
		this.child.stdin?.end();
		const timer = setTimeout(() => this.child.kill("SIGKILL"), 5_000);
		await gone;
		clearTimeout(timer);
	}

	#take(chunk: string): void {
		const lines = (this.#rest + chunk).split("\n");
		this.#rest = lines.pop() ?? "";
		for (const line of lines) {
			// Echo answers are long and the id stands at the front: no need to parse the rest.
			const id = Number(/^\{"jsonrpc":"2\.0","id":(\d+),/.exec(line)?.[1]);
			this.#waiting.get(id)?.();
			this.#waiting.delete(id);
		}
	}
}
