import { mkdirSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { dataRoot } from "../contract/environment.ts";
import { CleatsError } from "../contract/errors.ts";
import type { Hit } from "../repo/result.ts";
import type { OpenedRepository, ToolHandler } from "../tools/tool.ts";
import type { Decision, Finding } from "./record.ts";
import { RecordStore, triageFolder } from "./recordStore.ts";

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
const MOST_BYTES = 256 * 1024;

export const handler: ToolHandler = async (args, call) => {
	const repository = await call.repository();
	const store = new RecordStore(triageFolder(dataRoot(), repository.root));
	const finding = store.finding("recordId", String(args.recordId));
	const decisions = store.decisions(finding.recordId);
	const pack = {
		recordId: finding.recordId,
		finding,
		history: decisions.map((decision) => ({ ...decision, expired: isExpired(decision) })),
		inForce: decisions.filter((decision) => !isExpired(decision)).at(-1) ?? null,
		evidence: bounded(
			await gather(finding, repository, call.signal, (why, done, total) =>
				call.progress({ phase: "evidence", message: why, done, total }),
			),
		),
	};
	if (args.outPath === undefined) return { repo: repository.label, ...pack };
	return { repo: repository.label, ...pack, outPath: write(repository.root, String(args.outPath), pack) };
};

/** A decision that has run out stays in the history and no longer counts. */
export function isExpired({ expiresAt }: Decision, now: number = Date.now()): boolean {
	return expiresAt !== undefined && new Date(expiresAt).getTime() <= now;
}

async function gather(
	finding: Finding,
	{ engine }: OpenedRepository,
	signal: AbortSignal,
	progress: (why: string, done: number, total: number) => void,
): Promise<Evidence[]> {
	const questions = questionsOf(finding);
	const found: Evidence[] = [];
	for (const [index, { why, query, ...filters }] of questions.entries()) {
		progress(why, index, questions.length);
		const { hits } = await engine.search({ query, top: HITS, output: "compact", ...filters }, signal);
		if (hits.length > 0) found.push({ why, query, hits: hits.map(toEvidence) });
	}
	return found;
}

type Question = {
	readonly why: string;
	readonly query: string;
	readonly mode?: "code" | "all";
	readonly import?: string;
	readonly path?: string;
};

/** Where a package is imported, called and declared; where the scanner pointed; where the advisory is spoken of. */
function questionsOf({ package: affected, location, vuln }: Finding): Question[] {
	const questions: Question[] = [];
	if (location !== undefined)
		questions.push({ why: "the place the scanner names", query: basename(location.path), path: location.path });
	if (affected !== undefined) {
		const short = affected.name.split("/").at(-1) ?? affected.name;
		questions.push(
			{ why: "imports of the package", query: short, mode: "code", import: affected.name },
			{ why: "uses of the package", query: short, mode: "code" },
			{
				why: "where it is declared",
				query: `"${affected.name}"`,
				mode: "all",
				path: affected.manifestPath ?? "package.json",
			},
		);
	}
	questions.push({ why: "mentions of the advisory", query: `"${vuln.cve ?? vuln.vulnId}"`, mode: "all" });
	return questions;
}

function toEvidence({ path, startLine, endLine, kind, name, snippet }: Hit): EvidenceHit {
	return { path, startLine, endLine, kind, name, lines: snippet.lines.map((line) => line.slice(0, LINE_LENGTH)) };
}

/** Later evidence goes first when all of it is too much. */
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

function write(root: string, outPath: string, pack: unknown): string {
	const target = resolve(root, outPath);
	// The folder may be a link out of the repository even where the path itself is not.
	const outside = () =>
		new CleatsError("FORBIDDEN", "outPath: expected a file inside the repository", { field: "outPath" });
	if (!target.startsWith(root + sep)) throw outside();
	mkdirSync(dirname(target), { recursive: true });
	const folder = realpathSync(dirname(target));
	if (folder !== root && !folder.startsWith(root + sep)) throw outside();
	const fresh = join(folder, `.${basename(target)}.new`);
	writeFileSync(fresh, `${JSON.stringify(pack, null, 2)}\n`);
	renameSync(fresh, join(folder, basename(target)));
	return outPath;
}
