import { createHash } from "node:crypto";
import { isObject } from "../../contract/isObject.ts";
import { BadReport, type Draft, type Relocate } from "../draft.ts";
import { dropAbsent, type Raw, readList, readNumber, readText, readTexts, readValue } from "../fields.ts";
import { rateFinding, readState } from "../rating.ts";

/** Reads a finding in our own format or close to it, from a script, from npm audit or from a person. */
export function readGeneric(raw: Raw, place: Relocate): Draft[] {
	if ("auditReportVersion" in raw) return readNpmAudit(raw);
	const vuln = isObject(readValue(raw, "vuln")) ? readValue(raw, "vuln") : raw;
	const named = isObject(readValue(raw, "package"))
		? readText(raw, "package.name")
		: readText(raw, "package", "packageName");
	const vulnId = readText(vuln, "vulnId", "cve", "id") ?? readText(raw, "vulnId", "stableKey", "id");
	const title = readText(vuln, "title", "summary") ?? readText(raw, "title");
	if (vulnId === undefined && title === undefined) throw new BadReport(noFinding(raw));
	const assetId = readText(raw, "asset.assetId", "assetId");
	const said = {
		path: readText(raw, "location.path", "path", "file"),
		manifestPath: readText(raw, "package.manifestPath", "manifestPath"),
	};
	const path = said.path && place(said.path);
	const manifestPath = said.manifestPath && place(said.manifestPath);
	const stable = readText(raw, "stableKey", "recordId");
	// Without an id, the whole report is its identity, so two different reports are two findings.
	const id = stable ?? vulnId ?? createHash("sha256").update(JSON.stringify(raw)).digest("hex");
	const state = readState("state", readText(raw, "state", "status") ?? readText(vuln, "state", "status"), STATES);
	const { severity, cvss, warnings } = rateFinding(
		[readText(vuln, "severity"), readText(raw, "severity")],
		[{ vector: readText(vuln, "cvss.vector"), score: readNumber(vuln, "cvss.score", "cvss") }],
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
				...dropAbsent({
					cve: readText(vuln, "cve"),
					description: readText(vuln, "description"),
					cvss,
					cwe: readTexts(vuln, "cwe"),
					references: readTexts(vuln, "references"),
				}),
			},
			...(named !== undefined && {
				package: {
					name: named,
					...dropAbsent({
						ecosystem: readText(raw, "package.ecosystem", "ecosystem"),
						installedVersion: readText(raw, "package.installedVersion", "version"),
						affectedRange: readText(raw, "package.affectedRange"),
						fixedVersion: readText(raw, "package.fixedVersion", "fixedVersion"),
						manifestPath,
					}),
				},
			}),
			...(assetId !== undefined && {
				asset: { assetId, ...dropAbsent({ assetType: readText(raw, "asset.assetType") }) },
			}),
			...(path !== undefined && {
				location: { path, ...dropAbsent({ startLine: readNumber(raw, "location.startLine", "line") }) },
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

/**
 * Reads the output of `npm audit --json`: one draft per advisory and package, without the packages that are only
 * affected through a dependency.
 */
function readNpmAudit(raw: Raw): Draft[] {
	const entries = readValue(raw, "vulnerabilities");
	return Object.values(isObject(entries) ? entries : {})
		.filter(isObject)
		.flatMap((entry) =>
			readList(entry, "via")
				.filter(isObject)
				.map((advisory) => draft(entry, advisory)),
		);
}

function draft(entry: Raw, advisory: Raw): Draft {
	const name = readText(advisory, "name", "dependency") ?? readText(entry, "name") ?? "";
	const url = readText(advisory, "url");
	const vulnId = /GHSA(?:-\w{4}){3}/i.exec(url ?? "")?.[0] ?? `npm-${readText(advisory, "source") ?? name}`;
	const vector = readText(advisory, "cvss.vectorString");
	// Without a vector, the score is 0, which means none.
	const score = vector === undefined ? undefined : readNumber(advisory, "cvss.score");
	const { severity, cvss, warnings } = rateFinding(
		[readText(advisory, "severity"), readText(entry, "severity")],
		[{ vector, score }],
	);
	const fix = readValue(entry, "fixAvailable");
	return {
		key: [vulnId, name, undefined, undefined, undefined],
		repeats: "details",
		vuln: {
			vulnId,
			title: readText(advisory, "title") ?? vulnId,
			severity,
			...dropAbsent({ cvss, cwe: readTexts(advisory, "cwe"), references: url === undefined ? [] : [url] }),
		},
		package: {
			name,
			ecosystem: "npm",
			...dropAbsent({
				affectedRange: readText(advisory, "range"),
				fixedVersion: readText(fix, "name") === name ? readText(fix, "version") : undefined,
			}),
		},
		warnings,
	};
}
