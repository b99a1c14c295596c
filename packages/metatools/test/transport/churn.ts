// Load with faults on a running gateway over HTTPS: clients that vanish, an upstream that is killed, a configuration that
// is reloaded, a certificate that is swapped. Every answer is checked.
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { metatools } from "./command.ts";

const ECHO = fileURLToPath(new URL("../../../libmcp/test/server/fixtures/echoServer.ts", import.meta.url));
const CLIENTS = 6;
const META = {
	"io.modelcontextprotocol/protocolVersion": "2026-07-28",
	"io.modelcontextprotocol/clientCapabilities": {},
};

export type Churn = {
	readonly answers: number;
	readonly wrong: readonly string[];
	readonly refused: number;
	readonly dropped: number;
	readonly kills: number;
	readonly reloads: number;
	readonly swaps: number;
	readonly descriptors: readonly [before: number, after: number];
	readonly megabytes: readonly [before: number, after: number];
};

export async function churn(folder: string, durationMs: number): Promise<Churn> {
	const certificates = ["one", "two"].map((name) => certificate(folder, name));
	const used = { cert: join(folder, "used.pem"), key: join(folder, "used.key") };
	const swap = (round: number): void => {
		const { cert, key } = certificates[round % 2] ?? used;
		copyFileSync(key, used.key);
		copyFileSync(cert, used.cert);
	};
	const config = join(folder, "churn.json");
	const configure = (round: number): void =>
		writeFileSync(
			config,
			JSON.stringify({
				mcpServers: { echo: { command: process.execPath, args: ["--disable-warning=ExperimentalWarning", ECHO] } },
				execution: { max_chain_steps: 8 + (round % 5) },
			}),
		);
	swap(0);
	configure(0);
	const flags = [
		"serve",
		"--transport=streamable",
		"--port=0",
		"--tls",
		`--tls-cert=${used.cert}`,
		`--tls-key=${used.key}`,
		"--session-timeout=2s",
		"-c",
		config,
	];
	const server = metatools(flags, { XDG_STATE_HOME: folder });
	const url = new URL(await server.address);
	const pid = server.child.pid ?? 0;
	const agent = new Agent({ rejectUnauthorized: false, keepAlive: true });
	const state = { answers: 0, wrong: [] as string[], refused: 0, dropped: 0, kills: 0, reloads: 0, swaps: 0 };
	const post = poster(url, agent);

	while (!(await post(runEcho(0, "warm"), 0)).includes("warm")) await pause(50);
	await pause(2_500);
	const before: [number, number] = [descriptors(pid), residentMb(pid)];
	const until = performance.now() + durationMs;
	const running = (): boolean => performance.now() < until;
	const client = async (number: number): Promise<void> => {
		for (let id = 1; running(); id++) {
			const text = `client ${number} call ${id}`;
			const vanishes = Math.random() < 0.1;
			const answer = await post(runEcho(id, text), vanishes ? 1 + Math.random() * 20 : 0).catch(() => "");
			if (answer === "") state.dropped++;
			else if (answer.includes('"isError":true') || answer.includes('"error":')) state.refused++;
			else if (answer.includes(`"id":${id},`) && answer.includes(text)) state.answers++;
			else state.wrong.push(answer.slice(0, 300));
			if (id % 20 === 0) await abandonSession(post);
		}
	};
	const faults = async (): Promise<void> => {
		for (let round = 1; running(); round++) {
			await pause(700);
			if (round % 2 === 0) state.kills += killUpstream(pid);
			if (round % 3 === 0) {
				configure(round);
				state.reloads++;
			}
			if (round % 4 === 0) {
				swap(++state.swaps);
			}
		}
	};
	await Promise.all([faults(), ...Array.from({ length: CLIENTS }, (_, number) => client(number))]);
	agent.destroy();
	// Longer than an idle session lives and than the upstream needs to come back.
	await pause(6_000);
	const after: [number, number] = [descriptors(pid), residentMb(pid)];
	server.child.kill("SIGTERM");
	await server.exited;
	return { ...state, descriptors: [before[0], after[0]], megabytes: [before[1], after[1]] };
}

type Post = (message: unknown, dropAfterMs: number, extra?: Record<string, string>) => Promise<string>;

function poster(url: URL, agent: Agent): Post {
	return (message, dropAfterMs, extra) =>
		new Promise((resolve, reject) => {
			const headers = extra ?? {
				"mcp-protocol-version": "2026-07-28",
				"mcp-method": "tools/call",
				"mcp-name": "run_tool",
			};
			const sent = request(
				url,
				{ method: "POST", agent, headers: { "content-type": "application/json", ...headers } },
				(response) => {
					let body = "";
					response.on("data", (chunk: Buffer) => {
						body += chunk.toString();
					});
					response.on("end", () => resolve(body));
					response.on("error", reject);
				},
			);
			sent.on("error", reject);
			sent.end(JSON.stringify(message));
			if (dropAfterMs > 0) setTimeout(() => sent.destroy(new Error("vanished")), dropAfterMs);
		});
}

function runEcho(id: number, text: string): unknown {
	const params = { name: "run_tool", arguments: { tool_id: "echo:echo", args: { text } }, _meta: META };
	return { jsonrpc: "2.0", id, method: "tools/call", params };
}

async function abandonSession(post: Post): Promise<void> {
	const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "gone", version: "1" } };
	await post({ jsonrpc: "2.0", id: 1, method: "initialize", params }, 0, {
		accept: "application/json, text/event-stream",
	}).catch(() => {});
}

function killUpstream(gateway: number): number {
	for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
		try {
			const stat = readFileSync(`/proc/${name}/stat`, "latin1");
			const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
			if (parent !== gateway || !readFileSync(`/proc/${name}/cmdline`, "latin1").includes("echoServer")) continue;
			process.kill(Number(name), "SIGKILL");
			return 1;
		} catch {
			// Gone between the list and the look.
		}
	}
	return 0;
}

function descriptors(pid: number): number {
	return readdirSync(`/proc/${pid}/fd`).length;
}

function residentMb(pid: number): number {
	return Math.round((Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * 4_096) / 1e6);
}

function certificate(folder: string, name: string): { cert: string; key: string } {
	const files = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
	const make = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
	execFileSync("openssl", [...make, "-subj", `/CN=${name}`, "-keyout", files.key, "-out", files.cert], {
		stdio: "ignore",
	});
	return files;
}

function pause(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
