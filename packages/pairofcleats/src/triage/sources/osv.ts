import { BadReport, type Draft, type Place, type Settled } from "../draft.ts";
import { at, isRaw, listAt, numberAt, present, type Raw, textAt, textsAt } from "../fields.ts";
import { rate } from "../rating.ts";

/** An OSV entry, an answer of its API, or one result of osv-scanner: one draft for each affected package. */
export function osv(raw: Raw, place: Place): (Draft | Settled)[] {
	const vulns = listAt(raw, "vulns").filter(isRaw);
	if (vulns.length > 0) return vulns.flatMap((vulnerability) => drafts(vulnerability));
	const packages = listAt(raw, "packages").filter(isRaw);
	if (packages.length === 0) return drafts(raw);
	const manifest = textAt(raw, "source.path");
	return packages.flatMap((scanned) =>
		listAt(scanned, "vulnerabilities")
			.filter(isRaw)
			.flatMap((vulnerability) => drafts(vulnerability, scanned, manifest === undefined ? undefined : place(manifest))),
	);
}

function drafts(raw: Raw, scanned?: Raw, manifestPath?: string): (Draft | Settled)[] {
	const vulnId = textAt(raw, "id");
	if (vulnId === undefined) throw new BadReport("id: expected an OSV id, got nothing");
	if (at(raw, "withdrawn") !== undefined) return [{ settled: "withdrawn" }];
	const only = textAt(scanned, "package.name");
	const affected = listAt(raw, "affected").filter(isRaw);
	// A package is listed once for each line of versions that is still kept.
	const names = only === undefined ? new Set(affected.map((entry) => textAt(entry, "package.name"))) : new Set([only]);
	return [...(names.size === 0 ? [undefined] : names)].map((name): Draft => {
		const entries = affected.filter((entry) => textAt(entry, "package.name") === name);
		const { severity, cvss, warnings } = ratingOf(raw, vulnId, entries, scanned);
		const events = entries.flatMap((entry) => listAt(entry, "ranges")).flatMap((range) => listAt(range, "events"));
		const fixed = [...new Set(events.flatMap((event) => textAt(event, "fixed") ?? []))];
		return {
			key: [vulnId, name, manifestPath],
			vuln: {
				vulnId,
				title: textAt(raw, "summary") ?? vulnId,
				severity,
				...present({
					cve: [vulnId, ...textsAt(raw, "aliases")].find((id) => id.startsWith("CVE-")),
					description: textAt(raw, "details"),
					cvss,
					cwe: textsAt(raw, "database_specific.cwe_ids"),
					references: textsAt(raw, "references"),
				}),
			},
			...(name !== undefined && {
				package: {
					name,
					...present({
						ecosystem: (textAt(entries[0], "package.ecosystem") ?? textAt(scanned, "package.ecosystem"))?.toLowerCase(),
						installedVersion: textAt(scanned, "package.version"),
						fixedVersion: fixed.length === 0 ? undefined : fixed.join(", "),
						manifestPath,
					}),
				},
			}),
			warnings,
		};
	});
}

/** Databases have a word for it, entries a vector or, as Ubuntu's, a word, and the scanner a score for all names of one. */
function ratingOf(raw: Raw, vulnId: string, entries: readonly Raw[], scanned?: Raw): ReturnType<typeof rate> {
	const rated = [...entries, raw].flatMap((from) => listAt(from, "severity")).map((one) => textAt(one, "score"));
	const group = listAt(scanned, "groups").find((one) => textsAt(one, "ids").includes(vulnId));
	const own = entries.flatMap((entry) => [
		textAt(entry, "ecosystem_specific.severity"),
		textAt(entry, "database_specific.severity"),
	]);
	return rate(
		[textAt(raw, "database_specific.severity"), ...own, ...rated],
		rated.filter((score) => score?.includes("/")).map((vector) => ({ vector })),
		{ score: numberAt(group, "max_severity") },
	);
}
