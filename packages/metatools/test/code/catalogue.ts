import type { CodeEngine, CodeRequest, CodeResult, CodeTools } from "../../src/code/engine.ts";
import { ToolError } from "../../src/contract/errors.ts";

/** A small catalogue that really answers: what each call was given, how many ran at once, and which were aborted. */
export class Catalogue implements CodeTools {
	readonly calls: { id: string; args: unknown }[] = [];
	readonly progressed: unknown[] = [];
	readonly #firstCall = Promise.withResolvers<void>();
	aborted = 0;
	atOnce = 0;
	mostAtOnce = 0;

	async call(id: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
		this.calls.push({ id, args });
		this.#firstCall.resolve();
		this.atOnce += 1;
		this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
		try {
			return await this.#answer(id, args, signal);
		} finally {
			this.atOnce -= 1;
		}
	}

	/** Settles when the first call has come. */
	called(): Promise<void> {
		return this.#firstCall.promise;
	}

	async search(query: string, limit = 20): Promise<{ id: string; name: string }[]> {
		return this.list()
			.filter(({ name }) => name.includes(query))
			.slice(0, limit);
	}

	async describe(id: string): Promise<{ summary: string }> {
		if (!this.list().some((tool) => tool.id === id)) throw new ToolError("tool_not_found", `no tool ${id}`);
		return { summary: `about ${id}` };
	}

	list(): { id: string; name: string; namespace?: string }[] {
		return [
			{ id: "math:add", name: "add", namespace: "math" },
			{ id: "my-server:get.it", name: "get.it", namespace: "my-server" },
			{ id: "mcp.github:issue", name: "issue", namespace: "mcp.github" },
			{ id: "twin-a:x", name: "x", namespace: "twin-a" },
			{ id: "twin.a:x", name: "x", namespace: "twin.a" },
			{ id: "ping", name: "ping" },
		];
	}

	progress(update: unknown): void {
		this.progressed.push(update);
	}

	async #answer(id: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
		switch (id) {
			case "math:add":
				return { sum: Number(args.a) + Number(args.b) };
			case "test:wait":
				await this.#wait(Number(args.ms), signal);
				return { waited: args.ms };
			case "test:fail":
				throw new ToolError("execution_failed", "it broke", {
					details: { hint: "glue", ...(args.length !== undefined && { said: "x".repeat(Number(args.length)) }) },
				});
			case "test:crash":
				throw new Error("/secret/path/of/the/host");
			case "test:hostile":
				return JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"then":"no"}');
			case "test:big":
				return "x".repeat(Number(args.length));
			case "my-server:get.it":
			case "mcp.github:issue":
			case "ping":
			case "test:echo":
				return { id, args };
			default:
				throw new ToolError("tool_not_found", `no tool ${id}`);
		}
	}

	#wait(ms: number, signal: AbortSignal): Promise<void> {
		return new Promise((resolve, reject) => {
			const timer = setTimeout(resolve, ms);
			signal.addEventListener("abort", () => {
				clearTimeout(timer);
				this.aborted += 1;
				reject(new ToolError("cancelled", "given up"));
			});
		});
	}
}

/** Runs a snippet as execute_code would, with roomy limits unless told. */
export function execute(
	engine: CodeEngine,
	code: string,
	options: Partial<CodeRequest> & { tools?: CodeTools } = {},
): Promise<CodeResult> {
	const { tools = new Catalogue(), ...request } = options;
	const signal = new AbortController().signal;
	return engine.execute(
		{ language: "javascript", code, timeoutMs: 20_000, maxToolCalls: 100, signal, ...request },
		tools,
	);
}
