import { BadReport, type Draft } from "../draft.ts";
import { at, isRaw, listAt, present, type Raw, severity, textAt, textsAt } from "../fields.ts";

/** An OSV entry, or one result of osv-scanner: one draft for each affected package. */
export function osv(raw: Raw): Draft[] {
	const packages = listAt(raw, "packages").filter(isRaw);
	if (packages.length > 0) {
		return packages.flatMap((entry) =>
			listAt(entry, "vulnerabilities")
				.filter(isRaw)
				.flatMap((vulnerability) =>
					drafts(vulnerability, textAt(entry, "package.name"), entry, textAt(raw, "source.path")),
				),
		);
	}
	return drafts(raw, undefined, undefined, undefined);
}

function drafts(
	raw: Raw,
	only: string | undefined,
	scanned: Raw | undefined,
	manifestPath: string | undefined,
): Draft[] {
	const vulnId = textAt(raw, "id");
	if (vulnId === undefined) throw new BadReport("id: expected an OSV id, got nothing");
	const affected = listAt(raw, "affected")
		.filter(isRaw)
		.filter((entry) => only === undefined || textAt(entry, "package.name") === only);
	const cve = [vulnId, ...textsAt(raw, "aliases")].find((id) => id.startsWith("CVE-"));
	return (affected.length > 0 ? affected : [undefined]).map((entry): Draft => {
		const name = only ?? textAt(entry, "package.name");
		const fixed = listAt(entry, "ranges")
			.flatMap((range) => listAt(range, "events"))
			.map((event) => textAt(event, "fixed"))
			.find((version) => version !== undefined);
		return {
			key: [vulnId, name, manifestPath],
			vuln: {
				vulnId,
				title: textAt(raw, "summary") ?? vulnId,
				severity: severity(textAt(raw, "database_specific.severity") ?? textAt(entry, "ecosystem_specific.severity")),
				...present({
					cve,
					description: textAt(raw, "details"),
					cvss: present({ vector: textAt(at(raw, "severity.0"), "score") }),
					cwe: textsAt(raw, "database_specific.cwe_ids"),
					references: textsAt(raw, "references"),
				}),
			},
			...(name !== undefined && {
				package: {
					name,
					...present({
						ecosystem: textAt(entry, "package.ecosystem")?.toLowerCase(),
						installedVersion: textAt(scanned, "package.version"),
						fixedVersion: fixed,
						manifestPath,
					}),
				},
			}),
		};
	});
}
