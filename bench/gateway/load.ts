import { Agent, request } from "node:http";
import { cpuMs } from "../processes.ts";

export type Load = {
	readonly callsPerSecond: number;
	readonly p50Ms: number;
	readonly p99Ms: number;
	readonly cpuMicrosPerCall: number;
	readonly wrong: number;
};

export type LoadOptions = {
	readonly clients: number;
	readonly warmMs: number;
	/** Calls to make before anything is measured, however long they take. */
	readonly warmCalls?: number;
	readonly measureMs: number;
	readonly pid: number;
	/** Requests of revision 2026-07-28 instead of sessions. */
	readonly modern?: boolean;
	/** Whether clients take streams alone, so that every answer is an event. */
	readonly streams?: boolean;
};

const MOST_WARMING_MS = 20_000;

type Answer = { readonly session: string | undefined; readonly text: string };

/** Keep-alive clients with one call in flight each; every answer is compared with what was sent. */
export async function load(url: string, options: LoadOptions): Promise<Load> {
	const target = new URL(url);
	const agent = new Agent({ keepAlive: true, maxSockets: options.clients });
	const revision = options.modern === true ? "2026-07-28" : "2025-11-25";
	const post = (message: Record<string, unknown>, extra: Record<string, string> = {}): Promise<Answer> =>
		new Promise((resolve, reject) => {
			const body = JSON.stringify(message);
			const headers = {
				"content-type": "application/json",
				accept: options.streams === true ? "text/event-stream" : "application/json, text/event-stream",
				"content-length": Buffer.byteLength(body),
				"mcp-protocol-version": revision,
				...extra,
			};
			const sent = request(
				{ agent, host: target.hostname, port: target.port, path: target.pathname, method: "POST", headers },
				(got) => {
					const chunks: Buffer[] = [];
					got.on("data", (chunk: Buffer) => chunks.push(chunk));
					got.on("end", () => {
						const session = got.headers["mcp-session-id"];
						resolve({
							session: typeof session === "string" ? session : undefined,
							text: Buffer.concat(chunks).toString(),
						});
					});
				},
			);
			sent.on("error", reject);
			sent.end(body);
		});

	const latencies: number[] = [];
	let warmed = 0;
	let wrong = 0;
	let phase: "warm" | "measure" | "stop" = "warm";
	const client = async (number: number): Promise<void> => {
		let headers: Record<string, string> = { "mcp-method": "tools/call", "mcp-name": "echo" };
		let meta: Record<string, unknown> = {
			"io.modelcontextprotocol/protocolVersion": revision,
			"io.modelcontextprotocol/clientCapabilities": {},
		};
		if (options.modern !== true) {
			const clientInfo = { name: "load", version: "1" };
			const opened = await post({
				jsonrpc: "2.0",
				id: 0,
				method: "initialize",
				params: { protocolVersion: revision, capabilities: {}, clientInfo },
			});
			headers = opened.session === undefined ? {} : { "mcp-session-id": opened.session };
			meta = {};
		}
		for (let id = 1; !stopped(); id++) {
			const text = `hello ${number}:${id}`;
			const before = performance.now();
			const params = { name: "echo", arguments: { text }, ...(options.modern === true ? { _meta: meta } : {}) };
			const answer = await post({ jsonrpc: "2.0", id, method: "tools/call", params }, headers);
			if (phase === "measure") latencies.push(performance.now() - before);
			else warmed++;
			if (!answer.text.includes(`"id":${id},`) || !answer.text.includes(JSON.stringify(text))) wrong++;
		}
	};
	const stopped = (): boolean => phase === "stop";
	const clients = Array.from({ length: options.clients }, (_, number) => client(number));
	await pause(options.warmMs);
	for (let waited = 0; warmed < (options.warmCalls ?? 0) && waited < MOST_WARMING_MS; waited += 100) await pause(100);
	phase = "measure";
	const cpuBefore = cpuMs(options.pid);
	const began = performance.now();
	await pause(options.measureMs);
	const elapsed = performance.now() - began;
	const calls = latencies.length;
	const cpu = cpuMs(options.pid) - cpuBefore;
	phase = "stop";
	await Promise.all(clients);
	agent.destroy();
	latencies.sort((a, b) => a - b);
	return {
		callsPerSecond: Math.round((calls / elapsed) * 1_000),
		p50Ms: round(latencies[Math.floor(calls * 0.5)] ?? Number.NaN),
		p99Ms: round(latencies[Math.floor(calls * 0.99)] ?? Number.NaN),
		cpuMicrosPerCall: Math.round((cpu * 1_000) / calls),
		wrong,
	};
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}

function round(value: number): number {
	return Number(value.toFixed(2));
}
