import { isObject } from "../../contract/isObject.ts";
import { BadReport, type Draft } from "../draft.ts";
import { at, listAt, numberAt, present, type Raw, textAt, textsAt } from "../fields.ts";
import { rate } from "../rating.ts";
import { stateOf } from "../reportedState.ts";

const STATES = { open: ["open"], settled: ["fixed", "dismissed", "auto_dismissed"] } as const;

/** Reads a Dependabot alert, from the API, from an export or as a webhook brings it. */
export function dependabot(report: Raw): Draft[] {
	const raw = isObject(report.alert) ? report.alert : report;
	const advisory = at(raw, "security_advisory", "securityAdvisory") ?? raw;
	const vulnerability =
		at(raw, "security_vulnerability", "securityVulnerability") ?? listAt(advisory, "vulnerabilities")[0];
	const name = textAt(raw, "dependency.package.name") ?? textAt(vulnerability, "package.name");
	const vulnId = textAt(advisory, "ghsa_id", "ghsaId", "cve_id", "cveId");
	if (name === undefined) throw new BadReport("dependency.package.name: expected the package, got nothing");
	if (vulnId === undefined) throw new BadReport("security_advisory.ghsa_id: expected an advisory id, got nothing");
	const manifestPath = textAt(
		raw,
		"dependency.manifest_path",
		"dependency.manifestPath",
		"manifest_path",
		"vulnerableManifestPath",
	);
	const vectors = [
		"cvss",
		"cvss_severities.cvss_v3",
		"cvssSeverities.cvssV3",
		"cvss_severities.cvss_v4",
		"cvssSeverities.cvssV4",
	];
	const { severity, cvss, warnings } = rate(
		[textAt(vulnerability, "severity"), textAt(advisory, "severity")],
		vectors.map((path) => ({
			vector: textAt(advisory, `${path}.vector_string`, `${path}.vectorString`),
			// 0 means that there is no score.
			score: numberAt(advisory, `${path}.score`) || undefined,
		})),
	);
	const state = stateOf("state", textAt(raw, "state"), STATES);
	return [
		{
			key: [vulnId, name, manifestPath],
			repeats: "details",
			vuln: {
				vulnId,
				title: textAt(advisory, "summary") ?? vulnId,
				severity,
				...present({
					cve: textAt(advisory, "cve_id", "cveId"),
					description: textAt(advisory, "description"),
					cvss,
					cwe: textsAt(advisory, "cwes"),
					references: textsAt(advisory, "references"),
				}),
			},
			package: {
				name,
				...present({
					ecosystem: textAt(raw, "dependency.package.ecosystem") ?? textAt(vulnerability, "package.ecosystem"),
					installedVersion: textAt(raw, "dependency.version"),
					affectedRange: textAt(vulnerability, "vulnerable_version_range", "vulnerableVersionRange"),
					fixedVersion: textAt(
						vulnerability,
						"first_patched_version.identifier",
						"firstPatchedVersion.identifier",
						"first_patched_version",
					),
					manifestPath,
				}),
			},
			...state,
			warnings: [...warnings, ...state.warnings],
		},
	];
}
