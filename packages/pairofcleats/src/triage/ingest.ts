import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { dataRoot } from "../contract/environment.ts";
import { CleatsError, invalidField } from "../contract/errors.ts";
import type { TriageSource } from "../contract/triageTerms.ts";
import { triageFolder } from "../index/recordFiles.ts";
import { pathInside } from "../lint/pathInside.ts";
import type { ToolCall, ToolHandler } from "../workspace/toolCall.ts";
import type { Draft, Reader, Relocate, Settled } from "./draft.ts";
import { type Raw, textAt } from "./fields.ts";
import { FindingIds } from "./findingIds.ts";
import { readReports, type ScanReport } from "./readReports.ts";
import type { Finding } from "./record.ts";
import { RecordStore } from "./recordStore.ts";
import { awsInspector } from "./sources/awsInspector.ts";
import { dependabot } from "./sources/dependabot.ts";
import { generic } from "./sources/generic.ts";
import { osv } from "./sources/osv.ts";
import { sarif } from "./sources/sarif.ts";

const READERS: Readonly<Record<TriageSource, Reader>> = {
	dependabot,
	aws_inspector: awsInspector,
	generic,
	manual: generic,
	sarif,
	osv,
};
const MOST_BYTES = 64 * 1024 * 1024;
/** Most findings and most problems listed in the result; it must fit a model's context and a frame. */
const MOST_LISTED = 100;
const MOST_PROBLEMS = 1_000;
const LONGEST_TEXT = 240;
const ROUTING = ["service", "env", "team", "owner"] as const;

export const handler: ToolHandler<"triage_ingest"> = async (args, call) => {
	const { source, inputPath, meta = {} } = args;
	const { label, root } = await call.repository();
	const reports = readReports(readInput(root, inputPath, call.here));
	refuseUnreadable(reports);
	const store = new RecordStore(triageFolder(dataRoot(), root));
	const ids = new FindingIds(source, store);
	const place: Relocate = (...paths) => pathInside(root, paths) ?? paths[0] ?? "";
	const itemsOf = (report: ScanReport) => readItems(report, (raw) => READERS[source](raw, place), call.signal);
	for (const report of reports)
		for await (const item of itemsOf(report)) if ("key" in item) ids.expect(item, report.index);
	const problems: Problem[] = [];
	const counts = { created: 0, updated: 0 };
	const records: Ingested[] = [];
	const recordIds = new Set<string>();
	const settled: Record<string, number> = {};
	for (const report of reports) {
		for await (const item of itemsOf(report)) {
			if ("message" in item) problems.push(item);
			else if ("settled" in item) settled[item.settled] = (settled[item.settled] ?? 0) + 1;
			else {
				const record = stored(toFinding(ids.idOf(item, report.index), item, source, meta), store);
				counts[record.outcome] += 1;
				if (records.length < MOST_LISTED) records.push(record);
				if (recordIds.size < MOST_LISTED) recordIds.add(record.recordId);
			}
		}
		call.progress({
			phase: "ingest",
			message: `${counts.created + counts.updated} findings stored`,
			done: report.index + 1,
			total: reports.length,
		});
	}
	if (args.buildIndex === true) await takeIn(call);
	const written = counts.created + counts.updated;
	if (written > records.length)
		call.warn({
			code: "records_cut",
			message: `${written} findings were stored, and the first ${records.length} are listed; search with mode records finds all`,
		});
	return {
		repo: label,
		source,
		total: reports.length,
		written,
		...counts,
		recordIds: [...recordIds],
		records,
		...(Object.keys(settled).length > 0 && { settled }),
		errors: firstOf(problems),
	};
};

/** A file of which nothing is a report was not ingested, even though no single report failed. */
function refuseUnreadable(reports: readonly ScanReport[]): void {
	const problems = reports.flatMap(({ index, ...report }) =>
		"problem" in report ? { index, message: report.problem } : [],
	);
	const [first] = problems;
	if (first === undefined || problems.length < reports.length) return;
	const details = { field: "inputPath", errors: firstOf(problems) };
	throw new CleatsError("INVALID_REQUEST", `inputPath: no report could be read: ${first.message}`, details);
}

type Problem = { readonly index: number; readonly message: string };

/** What a report lists, and why it cannot be read further. */
async function* readItems(
	report: ScanReport,
	read: (raw: Raw) => Iterable<Draft | Settled>,
	signal: AbortSignal,
): AsyncGenerator<Draft | Settled | Problem> {
	signal.throwIfAborted();
	if ("problem" in report) {
		yield { index: report.index, message: report.problem };
		return;
	}
	try {
		for (const item of read(report.raw)) {
			// A report may have thousands of findings, so other calls get a turn and the caller may cancel.
			await nextTurn();
			signal.throwIfAborted();
			yield item;
		}
	} catch (error) {
		signal.throwIfAborted();
		yield { index: report.index, message: error instanceof Error ? error.message : String(error) };
	}
}

function firstOf(problems: readonly Problem[]): readonly Problem[] {
	const [more, left] = [problems[MOST_PROBLEMS], problems.length - MOST_PROBLEMS];
	if (more === undefined) return problems;
	return [
		...problems.slice(0, MOST_PROBLEMS),
		{ index: more.index, message: `${left} like the ones before are not shown` },
	];
}

/** A short description of a stored record. */
type Ingested = {
	readonly recordId: string;
	readonly outcome: "created" | "updated";
	readonly severity: string;
	readonly title: string;
	/** The package, or the location. */
	readonly where?: string;
};

function stored(finding: Finding, store: RecordStore): Ingested {
	const { recordId, vuln } = finding;
	const where = whereOf(finding);
	const about = {
		severity: vuln.severity,
		title: brief(vuln.title),
		...(where !== undefined && { where: brief(where) }),
	};
	return { recordId, outcome: store.putFinding(finding), ...about };
}

function brief(text: string): string {
	return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/** The subject of a finding, in short: its package, its line, or its machine. */
export function whereOf({ package: affected, location, asset }: Finding): string | undefined {
	if (affected !== undefined) return [affected.name, affected.installedVersion].filter(Boolean).join("@");
	if (location === undefined) return asset?.assetId;
	return [location.path, location.startLine].filter(Boolean).join(":");
}

/** The report's text. Remote callers may read only files of the repository; a local user may read any file. */
function readInput(root: string, path: string, here: boolean): string {
	let real: string;
	try {
		real = realpathSync(here && existsSync(path) ? path : resolve(root, path));
	} catch {
		throw new CleatsError("NOT_FOUND", `inputPath: there is no file ${JSON.stringify(path)}`, { field: "inputPath" });
	}
	if (!here && !real.startsWith(root + sep))
		throw new CleatsError("FORBIDDEN", "inputPath: expected a file inside the repository", { field: "inputPath" });
	const found = statSync(real);
	if (!found.isFile()) throw invalidField("inputPath", "a file", path);
	if (found.size > MOST_BYTES)
		throw new CleatsError("INVALID_REQUEST", `inputPath: expected at most ${MOST_BYTES} bytes`, { field: "inputPath" });
	return readFileSync(real, "utf8");
}

function toFinding(
	recordId: string,
	{ vuln, package: affected, asset, location, warnings = [] }: Draft,
	source: TriageSource,
	meta: Raw,
): Finding {
	const now = new Date().toISOString();
	const routed = Object.fromEntries(
		ROUTING.flatMap((name) => (textAt(meta, name) === undefined ? [] : [[name, textAt(meta, name)]])),
	);
	const rest = Object.fromEntries(Object.entries(meta).filter(([name]) => !Object.hasOwn(routed, name)));
	return {
		recordId,
		recordType: "finding",
		source,
		createdAt: now,
		updatedAt: now,
		...routed,
		vuln,
		...(affected !== undefined && { package: affected }),
		...(asset !== undefined && { asset }),
		...(location !== undefined && { location }),
		...(Object.keys(rest).length > 0 && { meta: rest }),
		warnings,
	};
}

async function takeIn(call: ToolCall): Promise<void> {
	const { engine } = await call.repository();
	await engine.updateIndex({}, (progress) => call.progress(progress), call.signal);
}
