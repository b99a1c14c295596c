import { createHash } from "node:crypto";
import { BadReport, type Draft } from "../draft.ts";
import { at, isRaw, numberAt, present, type Raw, severity, textAt, textsAt } from "../fields.ts";

/** A finding in our own words, or near them: what a script or a person writes down. */
export function generic(raw: Raw): Draft[] {
	const vuln = isRaw(at(raw, "vuln")) ? at(raw, "vuln") : raw;
	const named = isRaw(at(raw, "package")) ? textAt(raw, "package.name") : textAt(raw, "package", "packageName");
	const vulnId = textAt(vuln, "vulnId", "cve", "id") ?? textAt(raw, "vulnId", "stableKey", "id");
	const title = textAt(vuln, "title", "summary") ?? textAt(raw, "title");
	if (vulnId === undefined && title === undefined)
		throw new BadReport("vuln.vulnId: expected an id or a title, got neither");
	const assetId = textAt(raw, "asset.assetId", "assetId");
	const path = textAt(raw, "location.path", "path", "file");
	const stable = textAt(raw, "stableKey", "recordId");
	// Without an id the whole report is its identity: two that differ are two findings.
	const key = stable ?? vulnId ?? createHash("sha256").update(JSON.stringify(raw)).digest("hex");
	return [
		{
			key: [key, named, textAt(raw, "package.manifestPath"), assetId, path],
			vuln: {
				vulnId: vulnId ?? key.slice(0, 16),
				title: title ?? vulnId ?? "",
				severity: severity(textAt(vuln, "severity") ?? textAt(raw, "severity")),
				...present({
					cve: textAt(vuln, "cve"),
					description: textAt(vuln, "description"),
					cvss: present({ score: numberAt(vuln, "cvss.score", "cvss"), vector: textAt(vuln, "cvss.vector") }),
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
						manifestPath: textAt(raw, "package.manifestPath", "manifestPath"),
					}),
				},
			}),
			...(assetId !== undefined && { asset: { assetId, ...present({ assetType: textAt(raw, "asset.assetType") }) } }),
			...(path !== undefined && {
				location: { path, ...present({ startLine: numberAt(raw, "location.startLine", "line") }) },
			}),
			...(vulnId === undefined && { warnings: ["it has no id of its own; another wording makes another finding"] }),
		},
	];
}
