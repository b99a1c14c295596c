import { countText, fieldLines, jsonPorcelain, plainText, porcelain, tableLines } from "libmcp";
import type { Envelope } from "../contract/envelope.ts";
import { ERROR_TABLE } from "../contract/errors.ts";
import { describeHit, type Hit } from "../query/result.ts";
import type { ToolName } from "../registry/registry.ts";
import type { FileText, IndexStatus } from "../repo/repository.ts";
import { makeStatusRows } from "../repo/status.ts";
import { readList, readNumber, readText, readValue } from "../triage/fields.ts";

/** Renders an envelope as human-readable text: hits and files with their lines, anything else as columns or fields. */
export function renderEnvelope(envelope: Envelope, tool?: ToolName): string {
	if (!envelope.ok) {
		const { code, message } = envelope.error;
		return porcelain(`${code}: ${message}`, [ERROR_TABLE[code].remedy]);
	}
	const { search, file } = envelope.result;
	const warnings = (envelope._meta.warnings ?? []).map(({ message }) => `warning: ${message}`);
	if (isFile(file)) return renderFile(file, warnings);
	const [head, ...lines] = (tool && renderResult(tool, envelope.result)?.split("\n")) ?? [];
	if (head !== undefined) return porcelain(head, [...warnings, ...lines]);
	if (!isSearch(search)) return jsonPorcelain(envelope.result);
	const { hits, totals, hasMore } = search;
	const summary = `${countText(hits.length, "hit")} of ${totals.matches} in ${countText(totals.files, "file")}${hasMore ? "; more with offset" : ""}`;
	return porcelain(summary, [...warnings, ...hits.flatMap(hitLines)]);
}

/** Every line of the text, which the tool has cut already; of an extremely long line only the beginning. */
function renderFile({ path, startLine, endLine, totalLines, text }: FileText, warnings: readonly string[]): string {
	const bound = { maxLines: Number.POSITIVE_INFINITY, maxChars: Number.POSITIVE_INFINITY, maxLineChars: 2_000 };
	const lines = [...warnings, ...numbered(startLine, text.split("\n"))];
	return porcelain(`${path}:${startLine}-${endLine} of ${totalLines} lines`, lines, bound);
}

function isFile(value: unknown): value is FileText {
	return typeof value === "object" && value !== null && "text" in value && "totalLines" in value;
}

/** Tabs become spaces, since they would otherwise be escaped. */
function numbered(first: number, lines: readonly string[]): string[] {
	return lines.map((line, index) => `  ${first + index}: ${line.replace(/\r$/, "").replaceAll("\t", "  ")}`);
}

type Shown = {
	readonly hits: readonly Hit[];
	readonly totals: { readonly matches: number; readonly files: number };
	readonly hasMore: boolean;
};

function isSearch(value: unknown): value is Shown {
	return (
		typeof value === "object" && value !== null && "hits" in value && Array.isArray(value.hits) && "totals" in value
	);
}

function hitLines(hit: Hit): string[] {
	const { path, startLine, endLine, kind, qualifiedName, name, snippet } = hit;
	const head = `${path}:${startLine}-${endLine} ${kind} ${qualifiedName || name}${describeHit(hit)}`.trimEnd();
	return [head, ...numbered(snippet.startLine, snippet.lines)];
}

/** Wide enough for long cells such as reasons; the terminal wraps them. */
const WIDEST = 400;

type Result = Readonly<Record<string, unknown>>;

/** Renders a tool's result for people; `undefined` if the generic rendering is good enough. */
export function renderResult(tool: ToolName, result: Result): string | undefined {
	const lines = RENDERERS[tool]?.(result);
	// Names and texts come from files and scanners, so control sequences must not reach the terminal.
	return lines?.map((line) => plainText(line)).join("\n");
}

const RENDERERS: Readonly<Partial<Record<ToolName, (result: Result) => string[]>>> = {
	index_status: indexStatus,
	config_status: configStatus,
	report_artifacts: artifacts,
	cache_gc: removals,
	clean_artifacts: removals,
	compact_sqlite_index: compaction,
	bootstrap: steps,
	download_models: downloads,
	download_dictionaries: downloads,
	download_extensions: downloads,
	verify_extensions: extensions,
	triage_ingest: ingested,
	triage_decision: decided,
	triage_context_pack: pack,
};

function indexStatus(result: Result): string[] {
	const status = result.status as IndexStatus;
	return [
		...fieldLines({ repository: text(result, "repo"), ...Object.fromEntries(makeStatusRows(status)) }),
		...status.warnings.map((message) => `warning: ${message}`),
	];
}

function configStatus(result: Result): string[] {
	const rows = (path: string): string[][] =>
		Object.entries(Object(readValue(result, path))).map(([name, value]) => [name, valueText(value)]);
	const { timeoutsMs: _, ...config } = Object(readValue(result, "config"));
	return [
		...fieldLines({
			repository: text(result, "repo"),
			...Object.fromEntries(Object.entries(config).map(([name, value]) => [name, valueText(value)])),
		}),
		...headed(["CAPABILITY", "STATE"], rows("capabilities")),
		...headed(["TOOL", "LIMIT IN MS"], rows("config.timeoutsMs")),
		...headed(["HOST", "STATE"], rows("host")),
	];
}

function valueText(value: unknown): string {
	return typeof value === "string" ? value : JSON.stringify(value);
}

function artifacts(result: Result): string[] {
	const files = readList(result, "artifacts.files").map((file) => [text(file, "name"), size(file, "bytes")]);
	const others = readList(result, "repositories").map((entry) => [text(entry, "id"), size(entry, "totalBytes")]);
	return [
		...fieldLines({
			repository: text(result, "repo"),
			entry: text(result, "artifacts.id"),
			index: readText(result, "artifacts.index") ?? "none; pairofcleats index build makes one",
			total: size(result, "artifacts.totalBytes"),
		}),
		...headed(["FILE", "SIZE"], files),
		...headed(["REPOSITORY", "SIZE"], others),
	];
}

function removals(result: Result): string[] {
	const gone = readList(result, "removals");
	const dry = result.dryRun === true;
	const would = gone.reduce<number>((sum, entry) => sum + (readNumber(entry, "bytes") ?? 0), 0);
	const rows = gone.map((entry) => [
		text(entry, "id"),
		size(entry, "bytes"),
		...(readText(entry, "reason") === undefined ? [] : [text(entry, "reason")]),
		text(entry, "outcome").replace("_", " "),
	]);
	const withReason = gone.some((entry) => readText(entry, "reason") !== undefined);
	return [
		dry
			? `${countText(gone.length, "entry", "entries")} would go (${bytesText(would)}); nothing was removed`
			: `${size(result, "freedBytes")} freed`,
		...headed(withReason ? ["ENTRY", "SIZE", "REASON", "OUTCOME"] : ["ENTRY", "SIZE", "OUTCOME"], rows),
	];
}

function compaction(result: Result): string[] {
	const change = `${size(result, "before")} → ${size(result, "after")}`;
	const backup = readText(result, "backup");
	return [
		result.dryRun === true ? `would be ${change}; nothing was changed` : `compacted: ${change}`,
		...(backup === undefined ? [] : [`the file before is kept as ${backup}`]),
	];
}

function steps(result: Result): string[] {
	const rows = readList(result, "steps").map((step) => [
		text(step, "outcome"),
		text(step, "step"),
		text(step, "detail.message") || stepDetail(step),
	]);
	return [
		...tableLines(["OUTCOME", "STEP", "DETAIL"], rows, WIDEST),
		"",
		`the repository is ${result.searchable === true ? "" : "not known to be "}searchable`,
	];
}

function stepDetail(step: unknown): string {
	const indexed = readNumber(step, "detail.files.indexed");
	const checked = readNumber(step, "detail.files");
	if (indexed !== undefined)
		return `${countText(indexed, "file")} indexed, ${readNumber(step, "detail.files.unchanged") ?? 0} unchanged`;
	if (checked !== undefined) return `${countText(checked, "file")} checked`;
	return readList(step, "detail.downloads")
		.map((item) => `${text(item, "name")} ${text(item, "outcome")}`)
		.join(", ");
}

function downloads(result: Result): string[] {
	const rows = readList(result, "downloads").map((item) => [
		text(item, "name"),
		text(item, "outcome"),
		size(item, "bytes"),
		readValue(item, "verified") === true ? "verified" : "unverified",
		text(item, "file"),
	]);
	return rows.length === 0
		? ["there is nothing to fetch"]
		: tableLines(["NAME", "OUTCOME", "SIZE", "DIGEST", "FILE"], rows, WIDEST);
}

function extensions(result: Result): string[] {
	const verdict = (item: unknown, name: string): string =>
		readValue(item, `${name}.attempted`) !== true
			? "not tried"
			: readValue(item, `${name}.ok`) === true
				? "ok"
				: "failed";
	const rows = readList(result, "extensions").map((item) => [
		text(item, "provider"),
		readValue(item, "installed") === true ? "yes" : "no",
		verdict(item, "load"),
		verdict(item, "smoke"),
		readText(item, "load.reason") ?? readText(item, "smoke.reason") ?? "",
	]);
	return tableLines(["EXTENSION", "INSTALLED", "LOADS", "WORKS", "WHY"], rows, WIDEST);
}

function ingested(result: Result): string[] {
	const problems = readList(result, "errors");
	const settled = Object.entries(Object(readValue(result, "settled"))).map(
		([why, count]) => `, ${String(count)} ${why}`,
	);
	const [closed = [], open = []] = [true, false].map((isSettled) =>
		readList(result, "records").filter((record) => (readValue(record, "settled") !== undefined) === isSettled),
	);
	const rows = (records: readonly unknown[], column: string): string[][] =>
		records.map((record) => ["recordId", column, "where", "title"].map((name) => text(record, name)));
	return [
		`${countText(readNumber(result, "total") ?? 0, "report")} of ${text(result, "source")}: ` +
			`${text(result, "created")} new, ${text(result, "updated")} updated${settled.join("")}, ${countText(problems.length, "problem")}`,
		...headed(
			["REPORT", "PROBLEM"],
			problems.map((problem) => [text(problem, "index"), text(problem, "message")]),
		),
		...headed(["FINDING", "SEVERITY", "WHERE", "TITLE"], rows(open, "severity")),
		...headed(["NO LONGER OPEN", "STATE", "WHERE", "TITLE"], rows(closed, "settled")),
	];
}

function decided(result: Result): string[] {
	return [`${inForce(result)}: ${text(result, "finding")}`, `recorded as ${text(result, "recordId")}`];
}

function inForce(decision: unknown): string {
	const until = readText(decision, "expiresAt");
	return `${text(decision, "status")}${until === undefined ? "" : ` until ${until}`}`;
}

function pack(result: Result): string[] {
	const history = readList(result, "history").map((decision) => [
		text(decision, "createdAt"),
		`${text(decision, "status")}${readValue(decision, "expired") === true ? " (expired)" : ""}`,
		text(decision, "reviewer"),
		text(decision, "justification"),
	]);
	return [
		...fieldLines({
			finding: text(result, "recordId"),
			title: text(result, "finding.vuln.title"),
			advisory: readText(result, "finding.vuln.cve") ?? text(result, "finding.vuln.vulnId"),
			severity: text(result, "finding.vuln.severity"),
			settled: readText(result, "finding.settled"),
			package: readText(result, "finding.package.name"),
			"fixed in": readText(result, "finding.package.fixedVersion"),
			place:
				[readText(result, "finding.location.path"), readText(result, "finding.location.startLine")]
					.filter(Boolean)
					.join(":") || undefined,
			"in force":
				readText(result, "inForce.status") === undefined ? "no decision" : inForce(readValue(result, "inForce")),
			written: readText(result, "outPath"),
		}),
		...readList(result, "finding.warnings").map((warning) => `note: ${String(warning)}`),
		...headed(["DECIDED", "STATUS", "BY", "WHY"], history),
		...readList(result, "evidence").flatMap((item) => ["", `${text(item, "why")}:`, ...places(item)]),
	];
}

/** Tabs become spaces, since they would otherwise be escaped. */
function places(item: unknown): string[] {
	return readList(item, "hits").flatMap((hit) => [
		`  ${text(hit, "path")}:${text(hit, "startLine")}-${text(hit, "endLine")} ${text(hit, "name")}`.trimEnd(),
		...readList(hit, "lines").map((line) => `      ${String(line).replaceAll("\t", "  ")}`),
	]);
}

/** A table with a heading after a blank line; nothing if there are no rows. */
function headed(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
	return rows.length === 0 ? [] : ["", ...tableLines(heading, rows, WIDEST)];
}

function text(value: unknown, path: string): string {
	return readText(value, path) ?? "";
}

function size(value: unknown, path: string): string {
	return bytesText(readNumber(value, path) ?? 0);
}

function bytesText(bytes: number): string {
	for (const [unit, power] of [
		["GB", 9],
		["MB", 6],
		["kB", 3],
	] as const)
		if (bytes >= 10 ** power) return `${(bytes / 10 ** power).toFixed(1)} ${unit}`;
	return `${bytes} B`;
}
