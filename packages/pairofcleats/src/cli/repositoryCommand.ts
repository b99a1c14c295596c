import { setTimeout as wait } from "node:timers/promises";
import { tooWide, UsageError } from "libmcp/command";
import { CleatsError } from "../contract/errors.ts";
import type { BuildReport, OnProgress } from "../index/build.ts";
import { readExistingFolder } from "../repo/failures.ts";
import { openRepository } from "../repo/openRepository.ts";
import type { OpenOptions, Repository } from "../repo/repository.ts";
import { type ReadFlags, readTextFlag } from "./flags.ts";
import { paintError, type Terminal, warn } from "./terminal.ts";

/** Opens the repository for one command, which checks the index against the disk before every answer. */
export async function withRepository<Value>(
	values: ReadFlags["values"],
	body: (repository: Repository) => Promise<Value>,
	options: OpenOptions = {},
): Promise<Value> {
	const repository = openRepository(readFolder(values), { freshnessMs: 0, ...options });
	try {
		return await body(repository);
	} finally {
		await repository.close();
	}
}

/** The folder that `--repo` names, else the current one, unless that is the home folder or the disk's root. */
export function readFolder(values: ReadFlags["values"]): string {
	const named = readTextFlag(values, "repoPath");
	if (named !== undefined) return readExistingFolder(named);
	const here = process.cwd();
	const astray = tooWide(here);
	if (astray === undefined) return here;
	throw new UsageError(
		`--repo: expected a repository, got nothing, and ${here} is ${astray}; change to a project's folder, or name this one to mean it`,
	);
}

/** How often to check whether the other process has finished; checking is cheap, starting a build is not. */
const LOOK_MS = 250;
const ASK_AGAIN_MS = 3_000;

/** Builds a missing index and tells what it lacks, or waits for another process that is building it. */
export async function buildFirstIndex(repository: Repository, terminal: Terminal): Promise<BuildReport | undefined> {
	const bar = makeProgressBar(terminal);
	try {
		while (!repository.indexed()) {
			try {
				bar.begin();
				const report = await repository.updateIndex({}, bar.onProgress, terminal.interrupted);
				bar.clear();
				for (const message of report.warnings) warn(terminal, message);
				return report;
			} catch (error) {
				if (!(error instanceof CleatsError && error.details.reason === "index_locked")) throw error;
				terminal.status("another process is making the index");
				for (let waited = 0; waited < ASK_AGAIN_MS && !repository.indexed(); waited += LOOK_MS)
					await wait(LOOK_MS, undefined, { signal: terminal.interrupted });
			}
		}
		return undefined;
	} finally {
		bar.clear();
	}
}

const BAR_WIDTH = 24;
const EVERY_MS = 80;
/** No time estimate is shown before this share is done. */
const LEAST_SHARE = 0.02;

/** A bar with rate and time left on a terminal; nothing in a pipe. Git lists the files first, which can take long. */
export function makeProgressBar(terminal: Terminal): { begin(): void; onProgress: OnProgress; clear(): void } {
	const started = performance.now();
	let drawn = 0;
	return {
		begin: () => terminal.status("listing the files"),
		onProgress: (progress) => {
			if (progress.phase === "git") {
				terminal.status(progress.message.slice(0, terminal.columns - 1));
				return;
			}
			const { phase, done, total, bytesDone, bytesTotal } = progress;
			const now = performance.now();
			if (now - drawn < EVERY_MS && done < total) return;
			drawn = now;
			const share = bytesTotal === 0 ? 0 : bytesDone / bytesTotal;
			const seconds = (now - started) / 1000;
			const rate = bytesDone / 1_000_000 / Math.max(seconds, 0.001);
			const filled = Math.round(share * BAR_WIDTH);
			const bar = paintError(terminal, "green", "█".repeat(filled)) + "░".repeat(BAR_WIDTH - filled);
			const figures = [`${Math.round(share * 100)}%`, `${done}/${total} files`, `${rate.toFixed(1)} MB/s`];
			if (share >= LEAST_SHARE) figures.push(`${leftText((seconds / share) * (1 - share))} left`);
			// A line that fills the width would wrap, and clearing it would leave the wrapped part.
			const room = terminal.columns - 1;
			const text = `${phase} ${figures.join("  ")}`;
			terminal.status(
				text.length + BAR_WIDTH + 1 <= room ? `${phase} ${bar} ${figures.join("  ")}` : text.slice(0, room),
			);
		},
		clear: () => terminal.status(""),
	};
}

function leftText(seconds: number): string {
	return seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
