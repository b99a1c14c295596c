import { isObject } from "../../contract/isObject.ts";
import { BadReport, type Draft } from "../draft.ts";
import { dropAbsent, type Raw, readList, readNumber, readText, readTexts, readValue } from "../fields.ts";
import { rateFinding, readState } from "../rating.ts";

const STATES = { open: ["open"], settled: ["fixed", "dismissed", "auto_dismissed"] } as const;

/** Reads a Dependabot alert, from the API, from an export or as a webhook brings it. */
export function readDependabot(report: Raw): Draft[] {
	const raw = isObject(report.alert) ? report.alert : report;
	const advisory = readValue(raw, "security_advisory", "securityAdvisory") ?? raw;
	const vulnerability =
		readValue(raw, "security_vulnerability", "securityVulnerability") ?? readList(advisory, "vulnerabilities")[0];
	const name = readText(raw, "dependency.package.name") ?? readText(vulnerability, "package.name");
	const vulnId = readText(advisory, "ghsa_id", "ghsaId", "cve_id", "cveId");
	if (name === undefined) throw new BadReport("dependency.package.name: expected the package, got nothing");
	if (vulnId === undefined) throw new BadReport("security_advisory.ghsa_id: expected an advisory id, got nothing");
	const manifestPath = readText(
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
	const { severity, cvss, warnings } = rateFinding(
		[readText(vulnerability, "severity"), readText(advisory, "severity")],
		vectors.map((path) => ({
			vector: readText(advisory, `${path}.vector_string`, `${path}.vectorString`),
			// 0 means that there is no score.
			score: readNumber(advisory, `${path}.score`) || undefined,
		})),
	);
	const state = readState("state", readText(raw, "state"), STATES);
	return [
		{
			key: [vulnId, name, manifestPath],
			repeats: "details",
			vuln: {
				vulnId,
				title: readText(advisory, "summary") ?? vulnId,
				severity,
				...dropAbsent({
					cve: readText(advisory, "cve_id", "cveId"),
					description: readText(advisory, "description"),
					cvss,
					cwe: readTexts(advisory, "cwes"),
					references: readTexts(advisory, "references"),
				}),
			},
			package: {
				name,
				...dropAbsent({
					ecosystem: readText(raw, "dependency.package.ecosystem") ?? readText(vulnerability, "package.ecosystem"),
					installedVersion: readText(raw, "dependency.version"),
					affectedRange: readText(vulnerability, "vulnerable_version_range", "vulnerableVersionRange"),
					fixedVersion: readText(
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
