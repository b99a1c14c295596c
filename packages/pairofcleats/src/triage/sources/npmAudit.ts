import { isObject } from "../../contract/isObject.ts";
import type { Draft } from "../draft.ts";
import { at, listAt, numberAt, present, type Raw, textAt, textsAt } from "../fields.ts";
import { rate } from "../rating.ts";

/**
 * Reads the output of `npm audit --json`: one draft per advisory and package, without the packages that are only
 * affected through a dependency.
 */
export function npmAudit(raw: Raw): Draft[] {
	const entries = at(raw, "vulnerabilities");
	return Object.values(isObject(entries) ? entries : {})
		.filter(isObject)
		.flatMap((entry) =>
			listAt(entry, "via")
				.filter(isObject)
				.map((advisory) => draft(entry, advisory)),
		);
}

function draft(entry: Raw, advisory: Raw): Draft {
	const name = textAt(advisory, "name", "dependency") ?? textAt(entry, "name") ?? "";
	const url = textAt(advisory, "url");
	const vulnId = /GHSA(?:-\w{4}){3}/i.exec(url ?? "")?.[0] ?? `npm-${textAt(advisory, "source") ?? name}`;
	const vector = textAt(advisory, "cvss.vectorString");
	// Without a vector, the score is 0, which means none.
	const score = vector === undefined ? undefined : numberAt(advisory, "cvss.score");
	const { severity, cvss, warnings } = rate(
		[textAt(advisory, "severity"), textAt(entry, "severity")],
		[{ vector, score }],
	);
	const fix = at(entry, "fixAvailable");
	return {
		key: [vulnId, name, undefined, undefined, undefined],
		repeats: "details",
		vuln: {
			vulnId,
			title: textAt(advisory, "title") ?? vulnId,
			severity,
			...present({ cvss, cwe: textsAt(advisory, "cwe"), references: url === undefined ? [] : [url] }),
		},
		package: {
			name,
			ecosystem: "npm",
			...present({
				affectedRange: textAt(advisory, "range"),
				fixedVersion: textAt(fix, "name") === name ? textAt(fix, "version") : undefined,
			}),
		},
		warnings,
	};
}
