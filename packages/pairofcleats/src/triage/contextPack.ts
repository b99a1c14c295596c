import { basename, relative, sep } from "node:path";
import { dataRoot } from "../contract/environment.ts";
import { isCleatsError } from "../contract/errors.ts";
import { RECORDS_PREFIX, triageFolder } from "../index/recordFiles.ts";
import type { SearchRequest } from "../query/request.ts";
import type { Hit } from "../query/result.ts";
import { type AffectedPackage, type Finding, findDecisionInForce, isExpired } from "../records/record.ts";
import type { ToolCall, ToolHandler } from "../workspace/toolCall.ts";
import type { OpenedRepository } from "../workspace/workspace.ts";
import { findPackTarget, writePack } from "./packFile.ts";
import { describeUnreadable, RecordStore } from "./recordStore.ts";

type Evidence = { readonly why: string; readonly query: string; readonly hits: readonly EvidenceHit[] };
type EvidenceHit = {
	readonly path: string;
	readonly startLine: number;
	readonly endLine: number;
	readonly kind: string;
	readonly name: string;
	readonly lines: readonly string[];
};

const HITS = 5;
const LINE_LENGTH = 240;
const LINES_AROUND = 5;
const MOST_BYTES = 256 * 1024;

export const handler: ToolHandler<"triage_context_pack"> = async (args, call) => {
	const repository = await call.repository();
	const store = new RecordStore(triageFolder(dataRoot(), repository.root));
	const finding = store.finding("recordId", args.recordId);
	const { records: decisions, unreadable } = store.decisions(finding.recordId);
	if (unreadable.length > 0) call.warn({ code: "records_unreadable", message: describeUnreadable(unreadable) });
	const { outPath } = args;
	const target = outPath === undefined ? undefined : findPackTarget(repository.root, outPath);
	// Excluded from the search: the pack quotes these records already, and an earlier pack may be at its path.
	const quoted = new Set([finding, ...decisions].map(({ recordId }) => `${RECORDS_PREFIX}${recordId}.json`));
	if (target !== undefined) quoted.add(relative(repository.root, target).replaceAll(sep, "/"));
	const pack = {
		recordId: finding.recordId,
		finding,
		history: decisions.map((decision) => ({ ...decision, expired: isExpired(decision) })),
		inForce: findDecisionInForce(decisions) ?? null,
		evidence: bounded(await gather(finding, repository, call, quoted)),
	};
	if (target === undefined || outPath === undefined) return { repo: repository.label, ...pack };
	writePack(target, outPath, pack);
	return { repo: repository.label, ...pack, outPath };
};

async function gather(
	finding: Finding,
	{ engine }: OpenedRepository,
	{ signal, progress }: Pick<ToolCall, "signal" | "progress">,
	quoted: ReadonlySet<string>,
): Promise<Evidence[]> {
	const questions = questionsOf(finding);
	const found: Evidence[] = await pointedAt(finding, engine);
	for (const [index, { why, query, ...filters }] of questions.entries()) {
		progress({ phase: "evidence", message: why, done: index, total: questions.length });
		const hits = await hitsOf({ query, top: 2 * HITS, output: "compact", ...filters }, engine, signal);
		const others = hits.filter(({ path }) => !quoted.has(path)).slice(0, HITS);
		if (others.length > 0) found.push({ why, query, hits: others.map(toEvidence) });
	}
	return found;
}

/** The names are the scanner's, and one that makes no valid query or filter leaves the other questions as they are. */
async function hitsOf(
	request: SearchRequest,
	engine: OpenedRepository["engine"],
	signal: AbortSignal,
): Promise<readonly Hit[]> {
	try {
		return (await engine.search(request, signal)).hits;
	} catch (error) {
		if (isCleatsError(error) && error.code === "INVALID_REQUEST") return [];
		throw error;
	}
}

/** The lines a scanner names, and the declaration they are in. */
async function pointedAt({ location }: Finding, engine: OpenedRepository["engine"]): Promise<Evidence[]> {
	const { path = "", startLine: line } = location ?? {};
	if (line === undefined) return [];
	try {
		const around = { start: Math.max(1, line - LINES_AROUND), end: line + LINES_AROUND };
		const [{ startLine, endLine, text }, entries] = await Promise.all([engine.show(path, around), engine.map(path)]);
		// The last match is the innermost declaration.
		const inside = entries.findLast((entry) => entry.path === path && entry.startLine <= line && line <= entry.endLine);
		const lines = text.split("\n").map((one) => one.slice(0, LINE_LENGTH));
		const hit = { path, startLine, endLine, kind: inside?.kind ?? "block", name: inside?.name ?? "", lines };
		return [{ why: "the place the scanner names", query: `${path}:${line}`, hits: [hit] }];
	} catch (error) {
		// The file was deleted or became shorter after the scan.
		if (isCleatsError(error) && (error.code === "NOT_FOUND" || error.code === "INVALID_REQUEST")) return [];
		throw error;
	}
}

type Question = {
	readonly why: string;
	readonly query: string;
	readonly mode?: "code" | "all";
	readonly ann?: false;
	readonly import?: string;
	readonly path?: string | readonly string[];
};

/**
 * Searches for where the package is imported, called and declared, for the scanner's location, and for mentions of the
 * advisory.
 */
function questionsOf({ package: affected, location, vuln }: Finding): Question[] {
	const questions: Question[] = [];
	if (location !== undefined && location.startLine === undefined)
		questions.push({ why: "the file the scanner names", query: words(basename(location.path)), path: location.path });
	if (affected !== undefined) {
		const short = words(affected.name.split("/").findLast((part) => part !== "") ?? affected.name);
		questions.push(
			{ why: "imports of the package", query: short, mode: "code", import: affected.name },
			// No vectors: code that is only near in meaning does not use the package.
			{ why: "uses of the package", query: short, mode: "code", ann: false },
			{
				why: "where it is declared",
				query: phrase(affected.name),
				mode: "all",
				path: listManifests(affected),
			},
		);
	}
	questions.push({ why: "mentions of the advisory", query: phrase(vuln.cve ?? vuln.vulnId), mode: "all" });
	return questions;
}

/** The words of a name, without what a query reads as an operator: `-x.ts` would exclude, and `OR` would join. */
function words(name: string): string {
	return name
		.split(/[\s"()]+/)
		.map((word) => word.replace(/^[-/*]+/, "").replace(/^(?:AND|OR|NOT)$/, (operator) => operator.toLowerCase()))
		.join(" ");
}

function phrase(name: string): string {
	return `"${name.replaceAll('"', '\\"')}"`;
}

function toEvidence({ path, startLine, endLine, kind, name, snippet }: Hit): EvidenceHit {
	return { path, startLine, endLine, kind, name, lines: snippet.lines.map((line) => line.slice(0, LINE_LENGTH)) };
}

/** Drops evidence from the end if there is too much. */
function bounded(evidence: readonly Evidence[]): Evidence[] {
	const kept: Evidence[] = [];
	let bytes = 0;
	for (const item of evidence) {
		bytes += JSON.stringify(item).length;
		if (bytes > MOST_BYTES) break;
		kept.push(item);
	}
	return kept;
}

/** The files that can declare a package. Lock files are rarely indexed, but there is a manifest next to each. */
export function listManifests({ manifestPath, ecosystem = "npm" }: AffectedPackage): readonly string[] {
	const known = ecosystem.split(":", 1)[0]?.toLowerCase() ?? "";
	const usual = (Object.hasOwn(MANIFESTS, known) && MANIFESTS[known]) || [];
	const named = manifestPath === undefined ? usual : [manifestPath, ...usual];
	return named.length > 0 ? named : ["package.json"];
}

const PYTHON = ["requirements", "pyproject.toml", "setup.py", "setup.cfg", "Pipfile"];
/** Keyed by the names that scanners and databases use for ecosystems. */
const MANIFESTS: Readonly<Record<string, readonly string[]>> = {
	npm: ["package.json"],
	pypi: PYTHON,
	pip: PYTHON,
	go: ["go.mod"],
	gomod: ["go.mod"],
	maven: ["pom.xml", "build.gradle"],
	"crates.io": ["Cargo.toml"],
	cargo: ["Cargo.toml"],
	rubygems: ["Gemfile", ".gemspec"],
	nuget: [".csproj", "packages.config", "Directory.Packages.props"],
	packagist: ["composer.json"],
	composer: ["composer.json"],
};
