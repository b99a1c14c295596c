/** Reports in the format of each scanner, by file name. */
export const REPORTS: Readonly<Record<string, string>> = {
	"dependabot.json": JSON.stringify(
		["lodash", "lodash-es", "minimist"].map((name, index) => ({
			number: index + 1,
			state: "open",
			dependency: { package: { ecosystem: "npm", name }, manifest_path: "package.json", scope: "runtime" },
			security_advisory: {
				ghsa_id: name === "minimist" ? "GHSA-xvch-5gv4-984h" : "GHSA-35jh-r3h4-6jhm",
				cve_id: name === "minimist" ? "CVE-2021-44906" : "CVE-2021-23337",
				summary: name === "minimist" ? "Prototype pollution in minimist" : "Command injection in lodash",
				severity: name === "minimist" ? "critical" : "high",
				cvss: { vector_string: "CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H", score: 7.2 },
				cwes: [{ cwe_id: "CWE-77", name: "Command injection" }],
				references: [{ url: "https://example.com/advisory" }],
			},
			security_vulnerability: {
				package: { ecosystem: "npm", name },
				severity: "high",
				vulnerable_version_range: "< 4.17.21",
				first_patched_version: { identifier: "4.17.21" },
			},
		})),
	),
	"inspector.json": JSON.stringify({
		findings: [
			{
				findingArn: "arn:aws:inspector2:eu-west-1:111122223333:finding/1",
				awsAccountId: "111122223333",
				type: "PACKAGE_VULNERABILITY",
				severity: "CRITICAL",
				status: "ACTIVE",
				title: "CVE-2022-37434 - zlib, openssl",
				inspectorScore: 9.8,
				packageVulnerabilityDetails: {
					vulnerabilityId: "CVE-2022-37434",
					vulnerablePackages: [
						{ name: "zlib", version: "1.2.11", packageManager: "OS", fixedInVersion: "1.2.12" },
						{ name: "openssl", version: "1.1.1k", packageManager: "OS" },
					],
				},
				resources: [
					{ id: "i-0abc", type: "AWS_EC2_INSTANCE", region: "eu-west-1" },
					{ id: "i-0def", type: "AWS_EC2_INSTANCE", region: "eu-west-1" },
				],
			},
		],
	}),
	"generic.jsonl": [
		{ vulnId: "TEAM-1", title: "Secrets in the log", severity: "medium", path: "src/render.js", line: 4 },
		{
			vulnId: "TEAM-2",
			title: "Unpinned base image",
			severity: "low",
			package: { name: "debian", ecosystem: "docker" },
		},
	]
		.map((line) => `${JSON.stringify(line)}\n`)
		.join(""),
	"scan.sarif.json": JSON.stringify({
		version: "2.1.0",
		runs: [
			{
				tool: {
					driver: { name: "CodeScan", rules: [{ id: "js/eval", shortDescription: { text: "Use of eval" } }] },
				},
				results: [2, 4].map((startLine) => ({
					ruleId: "js/eval",
					level: "error",
					message: { text: "Code is made from input." },
					locations: [{ physicalLocation: { artifactLocation: { uri: "src/render.js" }, region: { startLine } } }],
				})),
			},
		],
	}),
	"osv.json": JSON.stringify({
		results: [
			{
				source: { path: "package-lock.json", type: "lockfile" },
				packages: ["semver", "ws"].map((name) => ({
					package: { name, version: "5.7.1", ecosystem: "npm" },
					vulnerabilities: [
						{
							id: name === "ws" ? "GHSA-3h5v-q93c-6h6q" : "GHSA-c2qf-rxjj-qqgw",
							aliases: [name === "ws" ? "CVE-2024-37890" : "CVE-2022-25883"],
							summary: `Denial of service in ${name}`,
							database_specific: { severity: "HIGH", cwe_ids: ["CWE-1333"] },
							affected: [
								{
									package: { name, ecosystem: "npm" },
									ranges: [{ type: "SEMVER", events: [{ introduced: "0" }, { fixed: "7.5.2" }] }],
								},
							],
						},
					],
				})),
			},
		],
	}),
};

/** Source, file, and the number of findings in it. */
export const SOURCES = [
	["dependabot", "dependabot.json", 3],
	["aws_inspector", "inspector.json", 4],
	["generic", "generic.jsonl", 2],
	["sarif", "scan.sarif.json", 2],
	["osv", "osv.json", 2],
] as const;

/** A repository that uses the packages in the reports. */
export const AFFECTED: Readonly<Record<string, string>> = {
	...REPORTS,
	"package.json": `${JSON.stringify({ name: "app", dependencies: { lodash: "4.17.0", ws: "8.0.0" } }, null, 2)}\n`,
	"src/render.js":
		'import template from "lodash";\n\nexport function render(source) {\n\treturn template(source)();\n}\n',
};
