import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { folded, plainText, suggestion, UsageError } from "libmcp/command";
import type { BuildOptions, BuildReport } from "../../index/build.ts";
import type { Repository } from "../../repo/repository.ts";
import { makeStatusRows } from "../../repo/status.ts";
import { type FlagTable, quoteWord, type ReadFlags, readFlags, readTextFlag, refuseFurtherWords } from "../flags.ts";
import { buildFirstIndex, makeProgressBar, withRepository } from "../repositoryCommand.ts";
import { countNoun, EXIT, paint, type Terminal, warn } from "../terminal.ts";

export const flags: FlagTable = {
	"--repo": { name: "repoPath", takes: "value" },
	"--blame": { name: "blame", takes: "boolean" },
	"--risk-rules": { name: "riskRules", takes: "value" },
	"--threads": { name: "threads", takes: "number" },
	"--json": { name: "json", takes: "boolean" },
};
const MOST_THREADS = 16;
export const actions = ["build", "update", "status", "watch", "validate"] as const;

export async function command(argv: readonly string[], terminal: Terminal): Promise<number> {
	const { positional, values } = readFlags(argv, flags);
	const [action, ...further] = positional;
	if (action !== undefined) refuseFurtherWords(`index ${action}`, further);
	const json = values.json === true;
	if (action === "watch") return watchRepository(values, json, terminal);
	return withRepository(values, async (repository) => {
		switch (action) {
			case "build":
			case "update":
				return build(action, repository, buildOptions(values), json, terminal);
			case "status":
				return status(repository, json, terminal);
			case "validate":
				return validate(repository, json, terminal);
			default:
				throw new UsageError(
					`index: expected build, update, status, watch or validate, got ${quoteWord(action)}${suggestion(action ?? "", actions)}`,
				);
		}
	});
}

function buildOptions(values: ReadFlags["values"]): BuildOptions {
	const riskRules = readTextFlag(values, "riskRules");
	const threads = threadsFlag(values);
	return {
		...(typeof values.blame === "boolean" && { blame: values.blame }),
		...(riskRules !== undefined && { riskRules: resolve(riskRules) }),
		...(threads !== undefined && { threads }),
	};
}

function threadsFlag({ threads }: ReadFlags["values"]): number | undefined {
	if (threads === undefined) return undefined;
	if (typeof threads === "number" && Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS)
		return threads;
	throw new UsageError(`--threads: expected a whole number from 1 to ${MOST_THREADS}, got ${String(threads)}`);
}

async function build(
	action: "build" | "update",
	repository: Repository,
	options: BuildOptions,
	json: boolean,
	terminal: Terminal,
): Promise<number> {
	const bar = makeProgressBar(terminal);
	const start = action === "build" ? repository.buildIndex : repository.updateIndex;
	bar.begin();
	const report = await start(options, bar.onProgress, terminal.interrupted).finally(bar.clear);
	if (json) terminal.out(JSON.stringify(report));
	else {
		const { indexed, unchanged, removed, skipped, unreadable } = report.files;
		const rate = (report.durationMs === 0 ? 0 : report.bytes / 1000 / report.durationMs).toFixed(1);
		// A tiny repository takes little but start-up time, so its rate means nothing.
		const pace = rate === "0.0" ? "" : ` (${rate} MB/s)`;
		terminal.out(
			`${report.kind}, files: ${indexed} indexed, ${unchanged} unchanged, ${removed} removed, ${skipped} skipped; ` +
				`${countNoun(report.chunks, "chunk")} in ${(report.durationMs / 1000).toFixed(1)} s${pace}`,
		);
		const warnings = [...report.warnings];
		if (unreadable > 0) {
			const what = unreadable === 1 ? "1 file or folder" : `${unreadable} files and folders`;
			warnings.push(
				`${what} could not be read, and nothing in there is found; see the permissions, and whether the names are UTF-8`,
			);
		}
		for (const message of warnings) warn(terminal, message);
	}
	return EXIT.done;
}

async function status(repository: Repository, json: boolean, terminal: Terminal): Promise<number> {
	const found = await repository.status();
	if (json) terminal.out(JSON.stringify(found));
	else {
		for (const [label, value] of makeStatusRows(found)) {
			// Two spaces, by which folding knows the column that the rest of a long row continues in.
			const row = `${paint(terminal, "bold", label.padEnd(9))}  ${plainText(value)}`;
			terminal.out(terminal.watched ? folded(row, terminal.columns) : row);
		}
		for (const message of found.warnings) warn(terminal, message);
	}
	return found.indexed ? EXIT.done : EXIT.noIndex;
}

async function validate(repository: Repository, json: boolean, terminal: Terminal): Promise<number> {
	const report = await repository.validate(terminal.interrupted);
	if (json) terminal.out(JSON.stringify(report));
	else {
		for (const problem of report.problems) terminal.error(plainText(problem));
		const { files, chunks, terms } = report.checked;
		const read = [countNoun(files, "file"), countNoun(chunks, "chunk"), countNoun(terms, "term")].join(", ");
		terminal.out(`${report.ok ? "sound" : "damaged"}: ${read} read`);
	}
	return report.ok ? EXIT.done : EXIT.failed;
}

const EVERY_MS = 500;

/** Keeps an index up to date until interrupted. An update that fails is reported and tried again. */
export function watchRepository(values: ReadFlags["values"], json: boolean, terminal: Terminal): Promise<number> {
	const { interrupted } = terminal;
	const tell = (report: BuildReport): void => {
		const { indexed, removed } = report.files;
		if (json) terminal.out(JSON.stringify(report));
		else terminal.out(`${new Date().toISOString()} files: ${indexed} indexed, ${removed} removed`);
	};
	const onUpdate = (report: BuildReport): void => {
		if (report.files.indexed + report.files.removed > 0) tell(report);
	};
	return withRepository(
		values,
		async (repository) => {
			let last: string | undefined;
			let told: string | undefined;
			while (!interrupted.aborted) {
				try {
					const built = await buildFirstIndex(repository, terminal);
					if (built) tell(built);
					const message = (await repository.state(interrupted)).warning?.message;
					// What the next look no longer finds, such as a reading that took long, needs nobody.
					if (message !== undefined && message === last && message !== told) warn(terminal, message);
					if (message === last) told = message;
					last = message;
					await wait(EVERY_MS, undefined, { signal: interrupted });
				} catch (error) {
					if (!interrupted.aborted) throw error;
				}
			}
			return EXIT.done;
		},
		// Not 0, which would mean a single look: every look compares anew, but the process keeps looking.
		{ freshnessMs: 1, onUpdate },
	);
}
