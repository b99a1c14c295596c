import { isObject } from "../../contract/isObject.ts";
import { BadReport, type Draft } from "../draft.ts";
import { at, listAt, numberAt, present, type Raw, textAt, textsAt } from "../fields.ts";
import { rate } from "../rating.ts";
import { stateOf } from "../reportedState.ts";

const STATES = { open: ["active"], settled: ["closed", "suppressed"] } as const;

/** Reads a finding of Amazon Inspector, or an event with one: one draft per vulnerable package and resource. */
export function* awsInspector(report: Raw): Generator<Draft> {
	const raw = isObject(report.detail) ? report.detail : report;
	const details = at(raw, "packageVulnerabilityDetails", "package_vulnerability_details");
	const vulnId = textAt(details, "vulnerabilityId", "vulnerability_id") ?? textAt(raw, "findingArn", "arn");
	if (vulnId === undefined)
		throw new BadReport("packageVulnerabilityDetails.vulnerabilityId: expected an id, got nothing");
	const packages = listAt(details, "vulnerablePackages", "vulnerable_packages").filter(isObject);
	const resources = listAt(raw, "resources").filter(isObject);
	const cve = /^CVE-/i.test(vulnId) ? vulnId.toUpperCase() : undefined;
	const { severity, cvss, warnings } = rate(
		[textAt(raw, "severity")],
		listAt(details, "cvss").map((one) => ({
			vector: textAt(one, "scoringVector", "scoring_vector"),
			score: numberAt(one, "baseScore", "base_score"),
		})),
		{
			vector: textAt(raw, "inspectorScoreDetails.adjustedCvss.scoringVector"),
			score: numberAt(raw, "inspectorScore", "inspectorScoreDetails.adjustedCvss.score"),
		},
	);
	const vuln = {
		vulnId,
		title: textAt(raw, "title") ?? vulnId,
		severity,
		...present({
			cve,
			description: textAt(raw, "description"),
			cvss,
			references: textsAt(details, "referenceUrls"),
		}),
	};
	const state = stateOf("status", textAt(raw, "status"), STATES);
	for (const resource of resources.length > 0 ? resources : [undefined]) {
		for (const affected of packages.length > 0 ? packages : [undefined]) {
			const name = textAt(affected, "name");
			const assetId = textAt(resource, "id");
			yield {
				key: [vulnId, name, textAt(affected, "version"), assetId],
				repeats: "details",
				vuln,
				...state,
				warnings: [...warnings, ...state.warnings],
				...(name !== undefined && {
					package: {
						name,
						...present({
							ecosystem: textAt(affected, "packageManager")?.toLowerCase(),
							installedVersion: textAt(affected, "version"),
							fixedVersion: textAt(affected, "fixedInVersion"),
							manifestPath: textAt(affected, "filePath"),
						}),
					},
				}),
				...(assetId !== undefined && {
					asset: {
						assetId,
						...present({
							assetType: textAt(resource, "type"),
							region: textAt(resource, "region"),
							account: textAt(raw, "awsAccountId"),
						}),
					},
				}),
			};
		}
	}
}
