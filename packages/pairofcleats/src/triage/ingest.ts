import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { dataRoot } from "../contract/environment.ts";
import { CleatsError, invalidField } from "../contract/errors.ts";
import type { TriageSource } from "../contract/triageTerms.ts";
import { triageFolder } from "../index/recordFiles.ts";
import { findPathInside } from "../lint/pathInside.ts";
import { describePlace, type Finding, shortenText, type TriageRecord } from "../records/record.ts";
import type { ToolCall, ToolHandler } from "../workspace/toolCall.ts";
import type { Draft, Reader, Relocate } from "./draft.ts";
import { type Raw, readText } from "./fields.ts";
import { FindingIds } from "./findingIds.ts";
import { readReports, type ScanReport } from "./readReports.ts";
import { RecordStore } from "./recordStore.ts";
import { readAwsInspector } from "./sources/awsInspector.ts";
import { readDependabot } from "./sources/dependabot.ts";
import { readGeneric } from "./sources/generic.ts";
import { readOsv } from "./sources/osv.ts";
import { readSarif } from "./sources/sarif.ts";

const READERS: Readonly<Record<TriageSource, Reader>> = {
	dependabot: readDependabot,
	aws_inspector: readAwsInspector,
	generic: readGeneric,
	manual: readGeneric,
	sarif: readSarif,
	osv: readOsv,
};
const MOST_BYTES = 64 * 1024 * 1024;
/** Most findings and most problems listed in the result; it must fit a model's context and a frame. */
const MOST_LISTED = 100;
const MOST_PROBLEMS = 1_000;
const ROUTING = ["service", "env", "team", "owner"] as const;

export const handler: ToolHandler<"triage_ingest"> = async (args, call) => {
	const { source, inputPath, meta = {} } = args;
	const { label, root } = await call.repository();
	const reports = readReports(readInput(root, inputPath, call.here));
	const store = new RecordStore(triageFolder(dataRoot(), root));
	const written = new Set<string>();
	const ids = { open: new FindingIds(source, store), settled: new FindingIds(source, store, written) };
	const place: Relocate = (...paths) => findPathInside(root, paths) ?? paths[0] ?? "";
	const itemsOf = (report: ScanReport) => readItems(report, (raw) => READERS[source](raw, place), call.signal);
	for (const report of reports)
		for await (const item of itemsOf(report)) if ("key" in item) ids[kindOf(item)].expect(item, report.index);
	const problems: Problem[] = [];
	const counts = { created: 0, updated: 0 };
	const records: Ingested[] = [];
	const settled: Record<string, number> = {};
	const note = (record: Ingested): void => {
		counts[record.outcome] += 1;
		written.add(record.recordId);
		if (records.length < MOST_LISTED) records.push(record);
	};
	for (const report of reports) {
		for await (const item of itemsOf(report)) {
			if ("message" in item) problems.push(item);
			else if (item.settled !== undefined) settled[item.settled] = (settled[item.settled] ?? 0) + 1;
			else note(stored(toFinding(ids.open.idOf(item, report.index), item, source, meta), store));
		}
		call.progress({
			phase: "ingest",
			message: `${counts.created + counts.updated} findings stored`,
			done: report.index + 1,
			total: reports.length,
		});
	}
	// After all that are open: a scanner may list an alert twice, and one that is still open counts.
	for (const report of Object.keys(settled).length > 0 ? reports : []) {
		for await (const item of itemsOf(report)) {
			if (!("key" in item) || item.settled === undefined) continue;
			const recordId = ids.settled.idOf(item, report.index);
			const changed = written.has(recordId) ? undefined : settledNow(store.read(recordId), item.settled);
			if (changed !== undefined) note(stored(changed, store));
		}
	}
	if (written.size === 0 && Object.keys(settled).length === 0) refuseUnreadable(source, reports, problems);
	if (args.buildIndex === true) await takeIn(call);
	const all = counts.created + counts.updated;
	if (all > records.length)
		call.warn({
			code: "records_cut",
			message: `${all} findings were stored, and the first ${records.length} are listed; search with mode records finds all`,
		});
	return {
		repo: label,
		source,
		total: reports.length,
		written: all,
		...counts,
		recordIds: [...written].slice(0, MOST_LISTED),
		records,
		...(Object.keys(settled).length > 0 && { settled }),
		errors: firstOf(problems),
	};
};

function kindOf({ settled }: Draft): "open" | "settled" {
	return settled === undefined ? "open" : "settled";
}

/** A stored finding that its scanner has settled since. One that was never stored is only counted. */
function settledNow(known: TriageRecord | undefined, settled: string): Finding | undefined {
	if (known?.recordType !== "finding" || known.settled === settled) return undefined;
	return { ...known, settled, updatedAt: new Date().toISOString() };
}

/** A file of which nothing is a report was not ingested, often because it comes from another scanner. */
function refuseUnreadable(source: TriageSource, reports: readonly ScanReport[], problems: readonly Problem[]): void {
	const [first] = problems;
	if (first === undefined || problems.length < reports.length) return;
	const [report] = reports;
	const writer = report !== undefined && "raw" in report ? identifyWriter(report.raw) : undefined;
	const other =
		writer === undefined || writer === source ? "" : `; it is written as by ${writer}, so ingest it as ${writer}`;
	const details = { field: "inputPath", errors: firstOf(problems) };
	throw new CleatsError("INVALID_REQUEST", `inputPath: no report could be read: ${first.message}${other}`, details);
}

type Problem = { readonly index: number; readonly message: string };

/** What a report lists, and why it cannot be read further. */
async function* readItems(
	report: ScanReport,
	read: (raw: Raw) => Iterable<Draft>,
	signal: AbortSignal,
): AsyncGenerator<Draft | Problem> {
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
	/** Why it no longer needs action. */
	readonly settled?: string;
};

function stored(finding: Finding, store: RecordStore): Ingested {
	const { recordId, vuln, settled } = finding;
	const where = describePlace(finding);
	const about = {
		severity: vuln.severity,
		title: shortenText(vuln.title),
		...(where !== undefined && { where: shortenText(where) }),
		...(settled !== undefined && { settled }),
	};
	return { recordId, outcome: store.putFinding(finding), ...about };
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
		ROUTING.flatMap((name) => (readText(meta, name) === undefined ? [] : [[name, readText(meta, name)]])),
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

/** Members that only the reports of one source have. */
const MARKS = [
	["sarif", ["runs"]],
	["generic", ["auditReportVersion"]],
	["dependabot", ["security_advisory", "securityAdvisory", "alert"]],
	["aws_inspector", ["packageVulnerabilityDetails", "findingArn", "detail-type"]],
	["osv", ["vulns", "packages", "affected"]],
] as const satisfies readonly (readonly [TriageSource, readonly string[]])[];

/** The source whose form a report has, as far as it can be told. */
export function identifyWriter(raw: Raw): TriageSource | undefined {
	return MARKS.find(([, names]) => names.some((name) => Object.hasOwn(raw, name)))?.[0];
}
