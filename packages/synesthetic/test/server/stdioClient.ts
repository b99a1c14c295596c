import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import type { TestContext } from "node:test";

export const COMMAND: string = resolve(import.meta.dirname, "../../bin/synesthetic.js");
const PATIENCE_MS = 30_000;

export type StdioClientOptions = {
	readonly args?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	readonly cwd: string;
	/** The Node that runs it. */
	readonly node?: string;
};

/** A client of the real command over real pipes. */
export class StdioClient {
	readonly child: ChildProcess;
	readonly stderr: string[] = [];
	readonly #lines: string[] = [];
	#rest = "";
	#wake: () => void = () => {};

	constructor(context: TestContext, { args = [], env = {}, cwd, node = process.execPath }: StdioClientOptions) {
		const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SYN|MCP|LIBMCP)_/.test(name)));
		this.child = spawn(node, [COMMAND, ...args], {
			cwd,
			env: { ...clean, MCP_READY_FILE: join(cwd, "ready"), ...env },
			stdio: "pipe",
		});
		context.after(() => this.child.kill("SIGKILL"));
		this.child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#take(text));
		this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
			this.stderr.push(text);
			this.#wake();
		});
		this.child.stdin?.on("error", () => {});
		this.child.once("close", () => this.#wake());
	}

	async ready(): Promise<this> {
		await this.until(() => this.stderr.join("").includes("mcp:ready mode=stdio"));
		return this;
	}

	send(message: unknown): void {
		this.child.stdin?.write(
			typeof message === "string" || Buffer.isBuffer(message) ? message : `${JSON.stringify(message)}\n`,
		);
	}

	/** The next line of stdout, as it is. */
	async line(): Promise<string> {
		await this.until(() => this.#lines.length > 0);
		return this.#lines.shift() ?? "";
	}

	async ask(message: unknown): Promise<Record<string, unknown>> {
		this.send(message);
		return JSON.parse(await this.line());
	}

	/** A plain call's result. */
	async call(method: string, params?: unknown): Promise<unknown> {
		const { result, error } = await this.ask({
			jsonrpc: "2.0",
			id: 1,
			method,
			...(params === undefined ? {} : { params }),
		});
		return result ?? error;
	}

	get unread(): readonly string[] {
		return this.#lines;
	}

	/** Closes stdin, and gives the exit code. */
	async end(): Promise<number | null> {
		this.child.stdin?.end();
		return this.exited();
	}

	async exited(): Promise<number | null> {
		if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "close");
		return this.child.exitCode;
	}

	async until(condition: () => boolean): Promise<void> {
		const deadline = Date.now() + PATIENCE_MS;
		while (!condition()) {
			if (Date.now() > deadline || this.child.exitCode !== null)
				throw new Error(`gave up waiting; exit ${this.child.exitCode}, stderr: ${this.stderr.join("")}`);
			await new Promise<void>((wake) => {
				this.#wake = wake;
				setTimeout(wake, 50);
			});
		}
	}

	#take(text: string): void {
		const parts = (this.#rest + text).split("\n");
		this.#rest = parts.pop() ?? "";
		this.#lines.push(...parts);
		this.#wake();
	}
}
