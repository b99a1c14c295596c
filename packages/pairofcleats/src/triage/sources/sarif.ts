import { BadReport, type Draft } from "../draft.ts";
import { isRaw, listAt, numberAt, present, type Raw, severity, textAt } from "../fields.ts";

/** A SARIF log: one draft for each result and place. */
export function sarif(raw: Raw): Draft[] {
	const runs = listAt(raw, "runs").filter(isRaw);
	if (runs.length === 0) throw new BadReport("runs: expected a list of runs, got none");
	return runs.flatMap((run) => {
		const tool = textAt(run, "tool.driver.name") ?? "sarif";
		const rules = new Map(
			listAt(run, "tool.driver.rules").flatMap((rule) =>
				isRaw(rule) && typeof rule.id === "string" ? [[rule.id, rule]] : [],
			),
		);
		return listAt(run, "results")
			.filter(isRaw)
			.map((result) => draft(result, tool, rules));
	});
}

function draft(result: Raw, tool: string, rules: ReadonlyMap<string, Raw>): Draft {
	const ruleId = textAt(result, "ruleId", "rule.id");
	if (ruleId === undefined) throw new BadReport("ruleId: expected the rule, got nothing");
	const rule = rules.get(ruleId);
	const place = listAt(result, "locations")[0];
	const path = textAt(place, "physicalLocation.artifactLocation.uri")?.replace(/^file:\/\/\/?/, "");
	const startLine = numberAt(place, "physicalLocation.region.startLine");
	const message = textAt(result, "message.text") ?? textAt(rule, "shortDescription.text") ?? ruleId;
	return {
		key: [
			tool,
			ruleId,
			path,
			textAt(result, "partialFingerprints.primaryLocationLineHash") ?? String(startLine ?? ""),
			message,
		],
		vuln: {
			vulnId: `${tool}/${ruleId}`,
			title: message.split("\n")[0] ?? ruleId,
			severity: severity(textAt(result, "level") ?? textAt(rule, "defaultConfiguration.level")),
			...present({ description: textAt(rule, "fullDescription.text") }),
		},
		...(path !== undefined && { location: { path, ...present({ startLine }) } }),
	};
}
