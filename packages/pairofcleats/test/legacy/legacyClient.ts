import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { ContentLengthReader, encodeFrame } from "libmcp";
import { leftovers, sessionMark } from "libmcp/testing";
import { until } from "../../../../e2e/until.ts";
import { at, PROGRAM } from "../server/serving.ts";
import type { TestWorkspace } from "../tools/workspace.ts";

export type LegacyMessage = {
	readonly id?: unknown;
	readonly method?: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly result?: unknown;
	readonly error?: unknown;
};

export type LegacyPayload = {
	readonly message: string;
	readonly code: string;
	readonly timeoutMs?: number;
	readonly hint?: string;
	readonly stderr?: string;
	readonly stdout?: string;
};

/** Talks to the built server over the Content-Length transport. */
export class LegacyClient {
	readonly child: ChildProcess;
	readonly messages: LegacyMessage[] = [];
	readonly living: () => number[];
	#next = 1_000;

	constructor(
		t: Pick<TestContext, "after">,
		space: TestWorkspace,
		env: Readonly<Record<string, string>> = {},
		args: readonly string[] = [],
	) {
		const mark = sessionMark();
		this.living = () => mark.living();
		const child = spawn(process.execPath, [PROGRAM, "mcp", "--repo", space.root, ...args], {
			stdio: ["pipe", "pipe", "ignore"],
			cwd: space.base,
			env: {
				...process.env,
				PAIROFCLEATS_CACHE_ROOT: space.cacheRoot,
				PAIROFCLEATS_MCP_TRANSPORT: "legacy",
				...mark.env,
				...env,
			},
		});
		this.child = child;
		const reader = new ContentLengthReader();
		child.stdin.on("error", () => {});
		child.stdout.on("data", (chunk: Buffer) => {
			for (const event of reader.push(chunk)) {
				if (event.type !== "frame") throw new Error(`not a frame: ${event.type}`);
				this.messages.push(JSON.parse(event.bytes.toString("utf8")));
			}
		});
		const exited = once(child, "exit");
		t.after(async () => {
			child.stdin.end();
			const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
			await exited;
			clearTimeout(late);
			const left = await leftovers(mark, 30_000);
			for (const pid of left) process.kill(pid, "SIGKILL");
			if (left.length > 0) throw new Error(`processes outlived the server: ${left.join(", ")}`);
		});
	}

	send(message: Readonly<Record<string, unknown>>): void {
		this.child.stdin?.write(encodeFrame({ jsonrpc: "2.0", ...message }, "content-length"));
	}

	async request(
		method: string,
		params: Readonly<Record<string, unknown>> = {},
		id: string | number = ++this.#next,
	): Promise<LegacyMessage> {
		this.send({ id, method, params });
		return this.answerTo(id);
	}

	call(
		name: string,
		args: Readonly<Record<string, unknown>> = {},
		id: string | number = ++this.#next,
	): Promise<LegacyMessage> {
		return this.request("tools/call", { name, arguments: args }, id);
	}

	async answerTo(id: string | number): Promise<LegacyMessage> {
		await until(() => this.answersTo(id).length > 0, `an answer to ${JSON.stringify(id)}`);
		const [answer] = this.answersTo(id);
		if (answer === undefined) throw new Error("unreachable");
		return answer;
	}

	answersTo(id: string | number): LegacyMessage[] {
		return this.messages.filter((message) => message.id === id && message.method === undefined);
	}

	progressOf(id: string | number): Readonly<Record<string, unknown>>[] {
		return this.messages.flatMap(({ method, params }) =>
			method === "notifications/progress" && params?.id === id ? [params] : [],
		);
	}
}

/** The JSON object in an answer's text. */
export function payloadOf(answer: LegacyMessage): Readonly<Record<string, unknown>> {
	return JSON.parse(String(at(answer.result, "/content/0/text")));
}

export function errorOf(answer: LegacyMessage): LegacyPayload {
	if (at(answer.result, "/isError") !== true) throw new Error(`no error: ${JSON.stringify(answer)}`);
	const { message, code, ...rest } = payloadOf(answer);
	return { message: String(message), code: String(code), ...rest };
}
