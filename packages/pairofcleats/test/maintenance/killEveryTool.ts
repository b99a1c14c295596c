import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { buildIndex } from "../../src/index/indexer.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { digest, GOOD } from "../assets/downloads.ts";
import { fileServer } from "../assets/fileServer.ts";
import { writeFiles } from "../filter/fixtureRepository.ts";
import { at, listAt } from "../server/serving.ts";
import { type Session, session } from "../triage/session.ts";
import type { KillCase, Scene } from "./killCases.ts";

const RECOVERY = "/_meta/io.libmcp~1effect/recovery/kind";
const WRITES = /^(?:rename|link)/;
/** Temporary files, which exist only during an operation or after an interrupted one. */
const HALF_MADE = /\.removed-|\.fetch|\.place|\.part|\.new$/;

/**
 * Kills the worker of every tool in the middle of a call, at each of the given places; the client must get what the
 * tool's contract promises. Calls that only read may be in flight together and lose their worker at once.
 */
export async function killEveryTool(
	t: TestContext,
	cases: readonly KillCase[],
	together: readonly KillCase[] = [],
): Promise<void> {
	const open = await session(t);
	const scene = await sceneOf(t, open);
	const { tools } = await open.client.listTools();
	const named = new Set([...cases, ...together].map(({ tool }) => tool));
	assert.deepEqual([...named].sort(), tools.map(({ name }) => name).sort());
	const recoveryOf = new Map(tools.map((tool) => [tool.name, at(tool, RECOVERY)]));
	const answer = await searchAnswer(open);
	for (const one of cases) {
		const recovery = recoveryOf.get(one.tool);
		const check = recovery === "replay_safe" ? sameAgain : recovery === "at_most_once" ? inDoubt : undefined;
		assert.ok(check, `${one.tool} declares ${String(recovery)}`);
		await t.test(one.tool, () => check(open, scene, one));
		await scene.ownIndex();
		// A tool that was stopped while it read has written nothing that a search could find changed.
		if (one.stops.some(({ step }) => WRITES.test(step)))
			assert.deepEqual(await searchAnswer(open), answer, `searches after ${one.tool}`);
	}
	for (const { tool } of together) assert.equal(recoveryOf.get(tool), "replay_safe", tool);
	if (together.length > 0) await t.test("the tools that only read", () => allTheSameAgain(open, scene, together));
	assert.deepEqual(halfMade(open), []);
	assert.equal(open.records().length, 4 + 2, "four findings; the decision that was made before the kill, and the last");
}

/**
 * A convergent call: the client sees one answer, equal to that of an undisturbed call, and no trace of the first
 * attempt.
 */
async function sameAgain(open: Session, scene: Scene, { tool, args, before, stops, shows }: KillCase): Promise<void> {
	await before?.(scene);
	const undisturbed = shows(await open.call(tool, args?.(scene)));
	for (const stop of stops) {
		await before?.(scene);
		open.gate.close(stop);
		const calling = open.call(tool, args?.(scene));
		await open.gate.reached();
		await open.killWorker();
		assert.deepEqual(shows(await calling), undisturbed, JSON.stringify(stop));
		assert.deepEqual(halfMade(open), [], JSON.stringify(stop));
	}
}

/** Convergent calls in flight together, of which one is stopped in its midst. */
async function allTheSameAgain(open: Session, scene: Scene, cases: readonly KillCase[]): Promise<void> {
	const callAll = (): Promise<unknown[]> =>
		Promise.all(cases.map(async ({ tool, args, shows }) => shows(await open.call(tool, args?.(scene)))));
	const undisturbed = await callAll();
	open.gate.close(cases[0]?.stops[0] ?? assert.fail());
	const calling = callAll();
	await open.gate.reached();
	await open.killWorker();
	assert.deepEqual(await calling, undisturbed);
}

/**
 * A call made at most once: the client is told that the outcome is unknown, and the call was made once or not at all.
 */
async function inDoubt(open: Session, scene: Scene, { tool, args, stops }: KillCase): Promise<void> {
	const decisions = (): number => open.records().filter((name) => name.startsWith("decision-")).length;
	for (const [index, stop] of stops.entries()) {
		open.gate.close(stop);
		const caught = assert.rejects(
			open.client.callTool({ name: tool, arguments: args?.(scene) ?? {} }),
			(error: unknown) => {
				assert.equal(at(error, "/data/fault/class"), "ambiguous_outcome");
				assert.equal(at(error, "/data/fault/retry"), "unsafe");
				return true;
			},
		);
		await open.gate.reached();
		await open.killWorker();
		await caught;
		assert.equal(decisions(), index);
	}
	await open.call(tool, args?.(scene));
	assert.equal(decisions(), stops.length);
}

async function sceneOf(t: { after(body: () => void): void }, open: Session): Promise<Scene> {
	const files = await fileServer(t);
	writeFiles(open.root, { ".gitignore": "out/\n" });
	await open.call("build_index");
	const taken = await open.call("triage_ingest", { source: "aws_inspector", inputPath: "inspector.json" });
	const stray = join(open.base, "stray");
	mkdirSync(stray);
	writeFiles(stray, { "a.js": "export const a = 1;\n" });
	return {
		source: (tool) => `thing=${files.serve(`/${tool}`, GOOD[tool])}#sha256=${digest(GOOD[tool])}`,
		finding: String(listAt(taken, "/recordIds")[0]),
		strayIndex: async () => {
			await buildIndex({ root: stray, folder: openIndexFolder(open.cacheRoot, stray) });
		},
		ownIndex: async () => {
			if (openIndexFolder(open.cacheRoot, open.root).current() === undefined) await open.call("build_index");
		},
		forget: (place) => rmSync(join(open.base, place), { recursive: true, force: true }),
	};
}

async function searchAnswer(open: Session): Promise<unknown> {
	const found = await open.call("search", { query: "render template", ann: false });
	return listAt(found, "/search/hits").map((hit) => [at(hit, "/path"), at(hit, "/startLine"), at(hit, "/score")]);
}

function halfMade({ base }: Session): string[] {
	return readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) => HALF_MADE.test(name));
}
