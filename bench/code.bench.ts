// execute_code on the WASM sandbox: start of a warm run, cost of a tool call, runs at once, and memory over many runs.
import { type CodeEngine, type CodeResult, type CodeTools, wasmEngine } from "metatools";
import { quantile } from "./quantile.ts";

const RUNS = Number(process.argv[2] ?? 1_000);
const RESULT = { text: "x".repeat(1_000) };
const tools: CodeTools = {
	call: async () => RESULT,
	search: async () => [],
	describe: async () => ({ summary: "" }),
	list: () => [{ id: "bench:tool", name: "tool", namespace: "bench" }],
	progress: () => {},
};

const engine = wasmEngine();
await warmStart(engine);
await bridgeCalls(engine);
await runsAtOnce(engine);
await memoryGrowth(engine);
await engine.close?.();

/** Baseline: the same snippet evaluated in this process with no isolation at all. */
async function warmStart(engine: CodeEngine): Promise<void> {
	const samples = await timings(200, () => snippet(engine, "1 + 1"));
	const bare = await timings(200, async () => new Function("return 1 + 1")());
	const p50 = quantile(samples, 0.5);
	const baseline = quantile(bare, 0.5);
	const figures = {
		p50Ms: round(p50),
		p95Ms: round(quantile(samples, 0.95)),
		cpuMsPerRun: round(await cpuPerRun(engine)),
	};
	report("warm-start", {
		...figures,
		baselineP50Ms: round(baseline),
		ratio: round(p50 / baseline),
		floorMs: 15,
		met: p50 <= 15,
	});
}

/** Baseline: the same call awaited in this process, with the result through JSON as across any boundary. */
async function bridgeCalls(engine: CodeEngine): Promise<void> {
	const calls = 900;
	const code = `for (let i = 0; i < ${calls}; i++) await tools.bench.tool({ i }); 0`;
	const costs: number[] = [];
	for (let round = 0; round < 7; round += 1) {
		const empty = await elapsed(() => snippet(engine, "0"));
		costs.push(((await elapsed(() => snippet(engine, code))) - empty) / calls);
	}
	const direct = await elapsed(async () => {
		for (let at = 0; at < calls; at += 1)
			JSON.parse(JSON.stringify(await tools.call("bench:tool", { at }, new AbortController().signal)));
	});
	const microseconds = quantile(costs, 0.5) * 1_000;
	const baseline = (direct / calls) * 1_000;
	report("bridge-call", {
		...{ resultBytes: 1_011, microseconds: round(microseconds), baselineMicroseconds: round(baseline) },
		...{ ratio: round(microseconds / baseline), floorMicroseconds: 250, met: microseconds <= 250 },
	});
}

/** Baseline: the same eight runs one after another. */
async function runsAtOnce(engine: CodeEngine): Promise<void> {
	const code = "for (let i = 0; i < 5; i++) await tools.bench.tool({ i }); let n = 0; while (n < 200000) n++; n";
	const all = (): Promise<CodeResult[]> => Promise.all(Array.from({ length: 8 }, () => snippet(engine, code)));
	await all();
	const together = quantile(await timings(10, all), 0.5);
	const inTurn = await elapsed(async () => {
		for (let at = 0; at < 8; at += 1) await snippet(engine, code);
	});
	report("eight-at-once", { ms: round(together), baselineMs: round(inTurn), ratio: round(inTurn / together) });
}

async function memoryGrowth(engine: CodeEngine): Promise<void> {
	for (let at = 0; at < 100; at += 1) await snippet(engine, "[1, 2, 3].map((n) => n + 1)");
	const before = settledRss();
	for (let at = 0; at < RUNS; at += 1) await snippet(engine, "await tools.bench.tool({}); 'x'.repeat(100000).length");
	const megabytes = (settledRss() - before) / 1_048_576;
	report("memory", {
		runs: RUNS,
		rssGrowthMb: round(megabytes),
		baselineMb: round(before / 1_048_576),
		ratio: round((before / 1_048_576 + megabytes) / (before / 1_048_576)),
		floorMb: 30,
		met: megabytes <= 30,
	});
}

async function cpuPerRun(engine: CodeEngine): Promise<number> {
	const before = process.cpuUsage();
	for (let at = 0; at < 100; at += 1) await snippet(engine, "1 + 1");
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000 / 100;
}

async function snippet(engine: CodeEngine, code: string): Promise<CodeResult> {
	const signal = new AbortController().signal;
	const request = { language: "javascript", code, timeoutMs: 60_000, maxToolCalls: 1_000, signal };
	const result = await engine.execute(request, tools);
	if (result.error !== undefined) throw new Error(`${code}: ${result.error.message}`);
	return result;
}

async function timings(count: number, body: () => Promise<unknown>): Promise<number[]> {
	const samples: number[] = [];
	for (let at = -3; at < count; at += 1) {
		const took = await elapsed(body);
		if (at >= 0) samples.push(took);
	}
	return samples;
}

async function elapsed(body: () => Promise<unknown>): Promise<number> {
	const startedAt = performance.now();
	await body();
	return performance.now() - startedAt;
}

function settledRss(): number {
	globalThis.gc?.();
	return process.memoryUsage.rss();
}

function round(value: number): number {
	return Number(value.toFixed(3));
}

function report(figure: string, values: Readonly<Record<string, unknown>>): void {
	console.log(JSON.stringify({ bench: "code", figure, ...values }));
}
