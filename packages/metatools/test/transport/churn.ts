import { copyFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { bundled } from "../../../../e2e/bundled.ts";
import { selfSigned } from "../../../../e2e/selfSigned.ts";
import { COMPILED } from "../fixtures/compileCache.ts";
import { echoVia, initialize, type Post, poster } from "./churnCalls.ts";
import { metatools } from "./command.ts";
import { childrenOf, descriptors, killOne, residentMb } from "./processes.ts";

const ECHO = await bundled(new URL("../../../libmcp/test/server/fixtures/echoServer.ts", import.meta.url));
const CLIENTS = 6;
const PEAK_MS = 1_000;
const SHARE_OF_PEAK = 0.7;
const SAMPLE_MS = 500;
/** Garbage is collected and blocks are given back soon: what is resident is then what is held, not what lies about. */
const RETURNING_MEMORY = {
	MALLOC_MMAP_THRESHOLD_: "16384",
	MALLOC_TRIM_THRESHOLD_: "65536",
	NODE_OPTIONS: "--max-old-space-size=64 --max-semi-space-size=4",
};

export type Churn = {
	/** Calls a second at full speed before the faults began, and then with them, at seven tenths of it. */
	readonly peak: number;
	readonly rate: number;
	readonly answers: number;
	readonly wrong: readonly string[];
	readonly refused: number;
	readonly dropped: number;
	readonly kills: number;
	readonly reloads: number;
	readonly swaps: number;
	readonly sessionsOpened: number;
	readonly sessionsLeft: number;
	readonly descriptors: readonly [before: number, after: number];
	readonly children: readonly [before: number, after: number];
	/** Resident memory in the first and in the last quarter of the run, medians. */
	readonly megabytes: readonly [first: number, last: number];
	readonly exitCode: number | null;
};

export async function churn(folder: string, durationMs: number, mostPerSecond: number): Promise<Churn> {
	const { flags, configure, swap } = site(folder);
	const server = metatools(flags, { XDG_STATE_HOME: folder, ...RETURNING_MEMORY });
	const url = new URL(await server.address);
	const pid = server.child.pid ?? 0;
	const agent = new Agent({ rejectUnauthorized: false, keepAlive: true });
	const post = poster(url, agent);
	const state = { answers: 0, wrong: [] as string[], refused: 0, dropped: 0, sessionsOpened: 0 };
	const faults = { kills: 0, reloads: 0, swaps: 0 };

	const call = async (number: number, id: number, vanishes: boolean): Promise<void> => {
		const text = `client ${number} call ${id}`;
		const answer = await echoVia(post, number % 2 === 0 ? "run" : "through", id, text, vanishes).catch(() => "");
		if (answer === "") state.dropped++;
		else if (answer.includes('"isError":true') || answer.includes('"error":')) state.refused++;
		else if (answer.includes(`"id":${id},`) && answer.includes(JSON.stringify(text))) state.answers++;
		else state.wrong.push(answer.slice(0, 300));
	};
	const clients = async (forMs: number, everyMs: number, gently: boolean): Promise<void> => {
		const until = performance.now() + forMs;
		const client = async (number: number): Promise<void> => {
			let next = performance.now();
			for (let id = 1; performance.now() < until; id++) {
				await call(number, id, !gently && Math.random() < 0.1);
				if (!gently && id % 20 === 0) state.sessionsOpened += await abandonSession(post, id % 80 === 0);
				next = Math.max(next + everyMs, performance.now());
				await pause(next - performance.now());
			}
		};
		await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
	};
	const disturb = async (): Promise<void> => {
		const until = performance.now() + durationMs;
		for (let round = 1; performance.now() < until; round++) {
			await pause(700);
			if (round % 2 === 0) faults.kills += killOne(pid, "echoServer");
			if (round % 3 === 0) configure(++faults.reloads);
			if (round % 4 === 0) swap(++faults.swaps);
		}
	};

	for (const way of ["run", "through"] as const)
		while (!(await echoVia(post, way, 0, "warm", false)).includes('"warm"')) await pause(50);
	await clients(PEAK_MS, 0, true);
	const peak = (state.answers * 1_000) / PEAK_MS;
	state.answers = 0;
	await settled();
	const before = { descriptors: descriptors(pid), children: childrenOf(pid).length };
	const memory: number[] = [];
	const sampling = setInterval(() => memory.push(residentMb(pid)), SAMPLE_MS);
	const perSecond = Math.min(peak * SHARE_OF_PEAK, mostPerSecond);
	await Promise.all([disturb(), clients(durationMs, (CLIENTS * 1_000) / perSecond, false)]);
	clearInterval(sampling);
	await settled();
	const sessionsLeft = Number(/^metatools_http_sessions (\d+)$/m.exec(await post.metrics())?.[1]);
	agent.destroy();
	await pause(500);
	const after = { descriptors: descriptors(pid), children: childrenOf(pid).length };
	server.child.kill("SIGTERM");
	const exitCode = await server.exited;
	const quarter = Math.ceil(memory.length / 4);
	return {
		peak: Math.round(peak),
		rate: Math.round(((state.answers + state.refused + state.dropped) * 1_000) / durationMs),
		...state,
		...faults,
		sessionsLeft,
		descriptors: [before.descriptors, after.descriptors],
		children: [before.children, after.children],
		megabytes: [median(memory.slice(0, quarter)), median(memory.slice(-quarter))],
		exitCode,
	};
}

/** Longer than an idle session lives and than the upstream needs to come back. */
function settled(): Promise<void> {
	return pause(6_000);
}

function site(folder: string) {
	const certificates = ["one", "two"].map((name) => selfSigned(folder, name));
	const used = { cert: join(folder, "used.pem"), key: join(folder, "used.key") };
	const swap = (round: number): void => {
		const { cert, key } = certificates[round % 2] ?? used;
		copyFileSync(key, used.key);
		copyFileSync(cert, used.cert);
	};
	const config = join(folder, "churn.json");
	const echo = { command: process.execPath, args: [ECHO], env: COMPILED };
	const configure = (round: number): void =>
		writeFileSync(config, JSON.stringify({ mcpServers: { echo }, execution: { max_chain_steps: 8 + (round % 5) } }));
	swap(0);
	configure(0);
	const tls = ["--tls", `--tls-cert=${used.cert}`, `--tls-key=${used.key}`];
	const flags = ["serve", "--transport=streamable", "--port=0", ...tls, "--session-timeout=2s", "-c", config];
	return { flags, configure, swap };
}

/** A client that shakes hands and is never heard of again; on the server's own path it has a worker to itself. */
async function abandonSession(post: Post, through: boolean): Promise<number> {
	const answer = await post(initialize(), { path: through ? "/mcp/echo" : "/mcp" }).catch(() => "");
	return answer.includes('"serverInfo"') ? 1 : 0;
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function pause(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}
