import { resolve } from "node:path";
import { folded, plainText, suggestion, UsageError } from "libmcp/command";
import type { BuildOptions } from "../index/build.ts";
import type { Repository } from "../repo/repository.ts";
import { statusRows } from "../repo/statusRows.ts";
import { counted } from "./counted.ts";
import { EXIT } from "./exit.ts";
import { type FlagTable, noFurtherWords, quoted, type ReadFlags, readFlags, textFlag } from "./flags.ts";
import { withRepository } from "./openFromFlags.ts";
import { progressBar } from "./progressBar.ts";
import { paint, type Terminal, warn } from "./terminal.ts";
import { watch } from "./watch.ts";

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
	if (action !== undefined) noFurtherWords(`index ${action}`, further);
	const json = values.json === true;
	if (action === "watch") return watch(values, json, terminal);
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
					`index: expected build, update, status, watch or validate, got ${quoted(action)}${suggestion(action ?? "", actions)}`,
				);
		}
	});
}

function buildOptions(values: ReadFlags["values"]): BuildOptions {
	const riskRules = textFlag(values, "riskRules");
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
	const bar = progressBar(terminal);
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
				`${counted(report.chunks, "chunk")} in ${(report.durationMs / 1000).toFixed(1)} s${pace}`,
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
		for (const [label, value] of statusRows(found)) {
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
		const read = [counted(files, "file"), counted(chunks, "chunk"), counted(terms, "term")].join(", ");
		terminal.out(`${report.ok ? "sound" : "damaged"}: ${read} read`);
	}
	return report.ok ? EXIT.done : EXIT.failed;
}
