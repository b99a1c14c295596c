import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openStore, REAL_WORLD, type Store, StoreProblem, type World, type Write } from "libmcp/store";

const MODEL = fileURLToPath(new URL("ledger.pml", import.meta.url));
const MISTAKES = ["REPEATS_ALL", "IGNORES_FENCE", "SENDS_UNFLUSHED"] as const;
const RUNS = 40;
const CONTRACTS = ["never_replay", "convergent"] as const;
const SESSION = "modelled";

const hasSpin = spawnSync("spin", ["-V"]).status === 0;
const folder = mkdtempSync(join(tmpdir(), "holdfast-model-"));
after(() => rmSync(folder, { recursive: true, force: true }));
copyFileSync(MODEL, join(folder, "ledger.pml"));

describe("the model of leases, fences and the ledger", { skip: hasSpin ? false : "SPIN is not installed" }, () => {
	test("keeps its promises in every order of events, deaths and ends of the database", () => {
		const { errors, states } = check();
		assert.equal(errors, 0);
		assert.ok(states > 1_000_000, `only ${states} states`);
	});

	for (const mistake of MISTAKES)
		test(`breaks a promise if its rules are changed by ${mistake}`, () => {
			assert.ok(check(`-D${mistake}`).errors > 0);
		});

	test(`does in ${RUNS} random runs what the store does`, async () => {
		let steps = 0;
		for (let seed = 1; seed <= RUNS; seed++) steps += await repeat(simulate(seed), `run ${seed}`);
		assert.ok(steps > 4 * RUNS, `only ${steps} steps`);
	});
});

/** Visits every state that can be reached. */
function check(...options: readonly string[]): { readonly errors: number; readonly states: number } {
	const { stdout } = spawnSync("spin", [...options, "-run", "-m1000000", "ledger.pml"], {
		cwd: folder,
		encoding: "utf8",
	});
	const errors = /errors: (\d+)/.exec(stdout)?.[1];
	const states = /(\d+) states, stored/.exec(stdout)?.[1];
	assert.ok(errors !== undefined && states !== undefined, stdout);
	return { errors: Number(errors), states: Number(states) };
}

/** The actions of one random run, in their order. */
function simulate(seed: number): string[][] {
	const text = execFileSync("spin", [`-n${seed}`, "ledger.pml"], { cwd: folder, encoding: "utf8" });
	return [...text.matchAll(/MODEL ([^\n]*)/g)].map(([, action = ""]) => action.trim().split(" "));
}

/** Does the same with the real store, up to the first write that is lost; returns the number of steps. */
async function repeat(actions: readonly string[][], run: string): Promise<number> {
	let now = 1_800_000_000_000;
	const world: World = { ...REAL_WORLD, now: () => now };
	const store = await openStore("memory:", world);
	let steps = 0;
	for (const [action = "", node = "", fence = "", call = "", outcome] of actions) {
		if (action === "lose") break;
		steps++;
		if (action === "die" || action === "end") continue;
		if (action === "acquire") {
			now += 10_000;
			assert.equal((await store.acquire("session", `node ${node}`, 3_000))?.fence, Number(fence), run);
			continue;
		}
		if (action === "renew") {
			const lease = { lease: "session", holder: `node ${node}`, fence: Number(fence) };
			assert.equal(await store.renew(lease, 3_000), false, run);
			continue;
		}
		const taken = await write(store, Number(fence), writeOf(action, Number(call)));
		assert.equal(taken, outcome === "taken", `${run}: ${action} ${call} by node ${node} with fence ${fence}`);
	}
	await store.close();
	return steps;
}

function writeOf(action: string, call: number): Write {
	const contract = CONTRACTS[call] ?? "never_replay";
	switch (action) {
		case "accept":
			return { kind: "accept-call", row: { session: SESSION, call, contract, request: "{}" } };
		case "dispatch":
			return { kind: "dispatch-call", session: SESSION, call, contract };
		case "answer":
			return { kind: "answer-call", session: SESSION, call };
		default:
			throw new Error(`the model has an action that the store lacks: ${action}`);
	}
}

/** False if the writer's fence is not the owner's any more. */
async function write(store: Store, fence: number, one: Write): Promise<boolean> {
	try {
		await store.write({ writes: [one], durability: "async", fence: { lease: "session", fence } });
		return true;
	} catch (error) {
		assert.ok(error instanceof StoreProblem && error.code === "FENCE_LOST", String(error));
		return false;
	}
}
