// The host's price beside a naive proxy and a raw pipe, all before the same echo server, measured in turns in one run.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StdioClient } from "./hostPeers/stdioClient.ts";
import { childPids, cpuMs, residentMb, threadsCpuMs } from "./processes.ts";
import { median } from "./quantile.ts";

const peer = (name: string) => fileURLToPath(new URL(`hostPeers/${name}`, import.meta.url));
const NODE = process.execPath;
const SERVER = [NODE, peer("echoServer.mjs")];
const HOLDFAST = fileURLToPath(new URL("../packages/holdfast/bin/holdfast.js", import.meta.url));
const SETUPS = {
	direct: SERVER,
	raw: [NODE, peer("rawPipe.mjs"), ...SERVER],
	naive: [NODE, peer("naiveProxy.mjs"), ...SERVER],
	host: [NODE, HOLDFAST, "host", "--name", "bench", "--no-control", "--", ...SERVER],
} as const;
type Setup = keyof typeof SETUPS;
const NAMES = Object.keys(SETUPS).filter((name): name is Setup => name in SETUPS);
const ROUNDS = Number(process.argv[2] ?? 5);

// The host writes its telemetry as always, only not among the user's own.
const state = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
process.env.XDG_STATE_HOME = state;
process.on("exit", () => rmSync(state, { recursive: true, force: true }));

// The command passes over a bundle that is older than the last build.
await import("../scripts/bundle-cli.ts");
const clients = await started();
await latency();
await throughput();
await Promise.all(Object.values(clients).map((client) => client.close()));
await memory();
await coldStart();
await recovery();

/** One call at a time: what each hop adds to the median. */
async function latency(): Promise<void> {
	const text = "x".repeat(10_000);
	const p50 = emptyLists();
	for (let round = -2; round < 4 * ROUNDS; round++) {
		for (const name of NAMES) {
			const times: number[] = [];
			for (let n = 0; n < 300; n++) {
				const began = performance.now();
				await clients[name].echo(text);
				times.push(performance.now() - began);
			}
			if (round >= 0) p50[name].push(median(times));
		}
	}
	const added = (name: Setup) => (least(p50[name]) - least(p50.direct)) * 1000;
	report("added p50 at 10 kB, us", added("host"), added("naive"), { ceiling: 0.7 }, { rawPipe: added("raw") });
}

/** Sixteen in flight at 1 kB: calls a second, and the CPU the hop itself takes for each. */
async function throughput(): Promise<void> {
	const text = "x".repeat(1_000);
	const msPerCall = emptyLists();
	const cpu = emptyLists();
	for (let round = -2; round < 2 * ROUNDS; round++) {
		for (const name of NAMES) {
			const calls = 4_000;
			const { pid } = clients[name];
			const before = cpuMs(pid);
			const began = performance.now();
			await sixteenAtOnce(clients[name], text, calls);
			if (round < 0) continue;
			msPerCall[name].push((performance.now() - began) / calls);
			cpu[name].push(((cpuMs(pid) - before) * 1000) / calls);
		}
	}
	const perSecond = (name: Setup) => 1000 / least(msPerCall[name]);
	report(
		"calls/s with 16 in flight",
		perSecond("host"),
		perSecond("raw"),
		{ floor: 0.8 },
		{ naive: perSecond("naive") },
	);
	report("CPU us per call at 1 kB", mean(cpu.host), mean(cpu.naive), { ceiling: 1.2 }, { rawPipe: mean(cpu.raw) });
	report(
		"host RSS MB after these calls, beside a raw pipe",
		residentMb(clients.host.pid),
		residentMb(clients.raw.pid),
		{ ceiling: 1.3 },
	);
}

/** 128 calls of 10 kB in flight. */
async function memory(): Promise<void> {
	const client = new StdioClient(SETUPS.host);
	await client.connect();
	const text = "x".repeat(10_000);
	for (let n = 0; n < 200; n++) await client.echo(text);
	const held = Array.from({ length: 128 }, () => client.echo(text, 1_500));
	let most = 0;
	for (let n = 0; n < 20; n++) {
		await new Promise((resolve) => setTimeout(resolve, 50));
		most = Math.max(most, residentMb(client.pid));
	}
	await Promise.all(held);
	report("host RSS MB, 128 calls of 10 kB in flight", most, 80, { ceiling: 1 });
	await client.close();
}

/**
 * From spawn to the answer of the handshake: what the host adds, in bare Node starts. The CPU each process took until
 * then, and what a raw pipe adds, tell a slow host from a busy machine.
 */
async function coldStart(): Promise<void> {
	const setups = ["direct", "raw", "host"] as const;
	const ms: Record<Setup | "bare", number[]> = { ...emptyLists(), bare: [] };
	const cpu = emptyLists();
	for (let round = -1; round < 8 * ROUNDS; round++) {
		for (const name of setups) {
			const start = await spawnToAnswer(SETUPS[name]);
			if (round < 0) continue;
			ms[name].push(start.ms);
			cpu[name].push(start.cpuMs);
		}
		const bare = await bareStart();
		if (round >= 0) ms.bare.push(bare);
	}
	report(
		"spawn to first answer added p50, ms",
		median(ms.host) - median(ms.direct),
		median(ms.bare),
		{ ceiling: 1.5 },
		{
			direct: median(ms.direct),
			rawPipe: median(ms.raw),
			hosted: median(ms.host),
			fastestRatio: (least(ms.host) - least(ms.direct)) / least(ms.bare),
			rawPipeRatio: (median(ms.raw) - median(ms.direct)) / median(ms.bare),
			directCpuMs: least(cpu.direct),
			rawPipeCpuMs: least(cpu.raw),
			hostCpuMs: least(cpu.host),
			load: loadavg()[0] ?? 0,
		},
	);
}

/** From SIGKILL of the worker to the next answer, beside the worker's own cold start. */
async function recovery(): Promise<void> {
	const client = new StdioClient(SETUPS.host);
	await client.connect();
	await client.echo("warm");
	const back: number[] = [];
	const cold: number[] = [];
	for (let round = 0; round < 4 * ROUNDS; round++) {
		const worker = childPids(client.pid).find(isServer);
		if (worker === undefined) throw new Error("no worker under the host");
		const began = performance.now();
		process.kill(worker, "SIGKILL");
		await client.echo("again");
		back.push(performance.now() - began);
		cold.push((await spawnToAnswer(SETUPS.direct)).ms);
	}
	report("SIGKILL to next answer p50, ms", median(back), median(cold), { ceiling: 1.3 });
	await client.close();
}

/** What the ratio may be at the most, or at the least. */
type Bar = { readonly ceiling: number } | { readonly floor: number };

function report(figure: string, value: number, baseline: number, bar: Bar, more: Record<string, number> = {}): void {
	const ratio = value / baseline;
	const rounded = Object.fromEntries(
		Object.entries({ value, baseline, ratio, ...more }).map(([name, each]) => [name, Number(each.toFixed(3))]),
	);
	const met = "floor" in bar ? ratio >= bar.floor : ratio <= bar.ceiling;
	console.log(JSON.stringify({ bench: "host", figure, ...rounded, ...bar, met }));
}

/** Every set-up, compiled by its runtime as it is a minute into a session. */
async function started(): Promise<Record<Setup, StdioClient>> {
	const all = {
		direct: new StdioClient(SETUPS.direct),
		raw: new StdioClient(SETUPS.raw),
		naive: new StdioClient(SETUPS.naive),
		host: new StdioClient(SETUPS.host),
	};
	for (const client of Object.values(all)) {
		await client.connect();
		await sixteenAtOnce(client, "x".repeat(1_000), 30_000);
	}
	return all;
}

async function sixteenAtOnce(client: StdioClient, text: string, calls: number): Promise<void> {
	let left = calls;
	await Promise.all(
		Array.from({ length: 16 }, async () => {
			while (left-- > 0) await client.echo(text);
		}),
	);
}

type Start = { readonly ms: number; readonly cpuMs: number };

async function spawnToAnswer(command: readonly string[]): Promise<Start> {
	const client = new StdioClient(command);
	const ms = await client.connect();
	const cpuMs = threadsCpuMs(client.pid);
	await client.close();
	return { ms, cpuMs };
}

async function bareStart(): Promise<number> {
	const began = performance.now();
	const client = new StdioClient([NODE, "-e", "0"]);
	await new Promise((resolve) => client.child.once("exit", resolve));
	return performance.now() - began;
}

function isServer(pid: number): boolean {
	return readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0")[1] === SERVER[1];
}

function emptyLists(): Record<Setup, number[]> {
	return { direct: [], raw: [], naive: [], host: [] };
}

/** What others do to the machine only adds, so the least of many turns is the nearest to the thing itself. */
function least(values: readonly number[]): number {
	return Math.min(...values);
}

function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}
