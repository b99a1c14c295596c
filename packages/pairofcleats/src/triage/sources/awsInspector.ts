import { isObject } from "../../contract/isObject.ts";
import { BadReport, type Draft } from "../draft.ts";
import { dropAbsent, type Raw, readList, readNumber, readText, readTexts, readValue } from "../fields.ts";
import { rateFinding, readState } from "../rating.ts";

const STATES = { open: ["active"], settled: ["closed", "suppressed"] } as const;

/** Reads a finding of Amazon Inspector, or an event with one: one draft per vulnerable package and resource. */
export function* readAwsInspector(report: Raw): Generator<Draft> {
	const raw = isObject(report.detail) ? report.detail : report;
	const details = readValue(raw, "packageVulnerabilityDetails", "package_vulnerability_details");
	const vulnId = readText(details, "vulnerabilityId", "vulnerability_id") ?? readText(raw, "findingArn", "arn");
	if (vulnId === undefined)
		throw new BadReport("packageVulnerabilityDetails.vulnerabilityId: expected an id, got nothing");
	const packages = readList(details, "vulnerablePackages", "vulnerable_packages").filter(isObject);
	const resources = readList(raw, "resources").filter(isObject);
	const cve = /^CVE-/i.test(vulnId) ? vulnId.toUpperCase() : undefined;
	const { severity, cvss, warnings } = rateFinding(
		[readText(raw, "severity")],
		readList(details, "cvss").map((one) => ({
			vector: readText(one, "scoringVector", "scoring_vector"),
			score: readNumber(one, "baseScore", "base_score"),
		})),
		{
			vector: readText(raw, "inspectorScoreDetails.adjustedCvss.scoringVector"),
			score: readNumber(raw, "inspectorScore", "inspectorScoreDetails.adjustedCvss.score"),
		},
	);
	const vuln = {
		vulnId,
		title: readText(raw, "title") ?? vulnId,
		severity,
		...dropAbsent({
			cve,
			description: readText(raw, "description"),
			cvss,
			references: readTexts(details, "referenceUrls"),
		}),
	};
	const state = readState("status", readText(raw, "status"), STATES);
	for (const resource of resources.length > 0 ? resources : [undefined]) {
		for (const affected of packages.length > 0 ? packages : [undefined]) {
			const name = readText(affected, "name");
			const assetId = readText(resource, "id");
			yield {
				key: [vulnId, name, readText(affected, "version"), assetId],
				repeats: "details",
				vuln,
				...state,
				warnings: [...warnings, ...state.warnings],
				...(name !== undefined && {
					package: {
						name,
						...dropAbsent({
							ecosystem: readText(affected, "packageManager")?.toLowerCase(),
							installedVersion: readText(affected, "version"),
							fixedVersion: readText(affected, "fixedInVersion"),
							manifestPath: readText(affected, "filePath"),
						}),
					},
				}),
				...(assetId !== undefined && {
					asset: {
						assetId,
						...dropAbsent({
							assetType: readText(resource, "type"),
							region: readText(resource, "region"),
							account: readText(raw, "awsAccountId"),
						}),
					},
				}),
			};
		}
	}
}
