import { createHash } from "node:crypto";
import { isObject } from "../../contract/isObject.ts";
import { BadReport, type Draft, type Relocate } from "../draft.ts";
import { at, numberAt, present, type Raw, textAt, textsAt } from "../fields.ts";
import { rate } from "../rating.ts";
import { stateOf } from "../reportedState.ts";
import { npmAudit } from "./npmAudit.ts";

/** Reads a finding in our own format or close to it, from a script, from npm audit or from a person. */
export function generic(raw: Raw, place: Relocate): Draft[] {
	if ("auditReportVersion" in raw) return npmAudit(raw);
	const vuln = isObject(at(raw, "vuln")) ? at(raw, "vuln") : raw;
	const named = isObject(at(raw, "package")) ? textAt(raw, "package.name") : textAt(raw, "package", "packageName");
	const vulnId = textAt(vuln, "vulnId", "cve", "id") ?? textAt(raw, "vulnId", "stableKey", "id");
	const title = textAt(vuln, "title", "summary") ?? textAt(raw, "title");
	if (vulnId === undefined && title === undefined) throw new BadReport(noFinding(raw));
	const assetId = textAt(raw, "asset.assetId", "assetId");
	const said = {
		path: textAt(raw, "location.path", "path", "file"),
		manifestPath: textAt(raw, "package.manifestPath", "manifestPath"),
	};
	const path = said.path && place(said.path);
	const manifestPath = said.manifestPath && place(said.manifestPath);
	const stable = textAt(raw, "stableKey", "recordId");
	// Without an id, the whole report is its identity, so two different reports are two findings.
	const id = stable ?? vulnId ?? createHash("sha256").update(JSON.stringify(raw)).digest("hex");
	const state = stateOf("state", textAt(raw, "state", "status") ?? textAt(vuln, "state", "status"), STATES);
	const { severity, cvss, warnings } = rate(
		[textAt(vuln, "severity"), textAt(raw, "severity")],
		[{ vector: textAt(vuln, "cvss.vector"), score: numberAt(vuln, "cvss.score", "cvss") }],
	);
	return [
		{
			...(stable === undefined
				? { key: [id, named, manifestPath, assetId, path], repeats: "details" }
				: { key: [stable], repeats: "nothing", formerKey: [id, named, said.manifestPath, assetId, said.path] }),
			vuln: {
				vulnId: vulnId ?? id.slice(0, 16),
				title: title ?? vulnId ?? "",
				severity,
				...present({
					cve: textAt(vuln, "cve"),
					description: textAt(vuln, "description"),
					cvss,
					cwe: textsAt(vuln, "cwe"),
					references: textsAt(vuln, "references"),
				}),
			},
			...(named !== undefined && {
				package: {
					name: named,
					...present({
						ecosystem: textAt(raw, "package.ecosystem", "ecosystem"),
						installedVersion: textAt(raw, "package.installedVersion", "version"),
						affectedRange: textAt(raw, "package.affectedRange"),
						fixedVersion: textAt(raw, "package.fixedVersion", "fixedVersion"),
						manifestPath,
					}),
				},
			}),
			...(assetId !== undefined && { asset: { assetId, ...present({ assetType: textAt(raw, "asset.assetType") }) } }),
			...(path !== undefined && {
				location: { path, ...present({ startLine: numberAt(raw, "location.startLine", "line") }) },
			}),
			...(state.settled !== undefined && { settled: state.settled }),
			warnings: [
				...warnings,
				...state.warnings,
				...(vulnId === undefined ? ["it has no id of its own; another wording makes another finding"] : []),
			],
		},
	];
}

/** The words of common trackers and scanners. */
const STATES = {
	open: ["open", "active", "new", "detected", "confirmed", "reopened", "unresolved", "in_progress", "affected"],
	settled: ["fixed", "closed", "resolved", "dismissed", "suppressed", "withdrawn", "absent", "ignored", "not_affected"],
} as const;

const MOST_NAMED = 5;
/** Key names come from outside and can have any length. */
const LONGEST_NAME = 40;

/** Explains that a scanner's own format is unknown, and which format most scanners can write instead. */
function noFinding(raw: Raw): string {
	const names = Object.keys(raw).map((name) => name.slice(0, LONGEST_NAME));
	const more = names.length > MOST_NAMED ? ", …" : "";
	const got = names.length === 0 ? "an empty object" : `only ${names.slice(0, MOST_NAMED).join(", ")}${more}`;
	return `vuln.vulnId: expected an id or a title, got ${got}; let a scanner write SARIF, and ingest it as sarif`;
}
