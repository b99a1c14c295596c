import { isObject } from "../../contract/isObject.ts";
import { BadReport, type Draft, type Relocate } from "../draft.ts";
import { dropAbsent, type Raw, readList, readNumber, readText, readTexts, readValue } from "../fields.ts";
import { rateFinding } from "../rating.ts";

/** Reads an OSV entry, a response of its API, or one result of osv-scanner: one draft per affected package. */
export function* readOsv(raw: Raw, place: Relocate): Generator<Draft> {
	const vulns = readList(raw, "vulns").filter(isObject);
	const packages = readList(raw, "packages").filter(isObject);
	const manifest = readText(raw, "source.path");
	const manifestPath = manifest === undefined ? undefined : place(manifest);
	for (const vulnerability of vulns) yield* drafts(vulnerability);
	// The API answers with an empty object for a package without a vulnerability.
	const isEntry = Object.keys(raw).length > 0 && !("vulns" in raw || "packages" in raw);
	if (isEntry) yield* drafts(raw);
	for (const scanned of packages) {
		const scores = scoresOf(scanned);
		for (const vulnerability of readList(scanned, "vulnerabilities").filter(isObject))
			yield* drafts(vulnerability, { scanned, scores, manifestPath });
	}
}

/** A package found by a scanner, with the scanner's score for each vulnerability. */
type Scan = {
	readonly scanned: Raw;
	readonly scores: ReadonlyMap<string, number | undefined>;
	readonly manifestPath: string | undefined;
};

function* drafts(raw: Raw, scan?: Scan): Generator<Draft> {
	const vulnId = readText(raw, "id");
	if (vulnId === undefined) throw new BadReport("id: expected an OSV id, got nothing");
	const { scanned, manifestPath } = scan ?? {};
	for (const { name, ecosystem, entries } of affectedBy(raw, scanned)) {
		const { severity, cvss, warnings } = ratingOf(raw, entries, scan?.scores.get(vulnId));
		const events = entries.flatMap((entry) => readList(entry, "ranges")).flatMap((range) => readList(range, "events"));
		const fixed = [...new Set(events.flatMap((event) => readText(event, "fixed") ?? []))];
		yield {
			key: [vulnId, name, manifestPath],
			repeats: "details",
			vuln: {
				vulnId,
				title: readText(raw, "summary") ?? vulnId,
				severity,
				...dropAbsent({
					cve: [vulnId, ...readTexts(raw, "aliases")].find((id) => id.startsWith("CVE-")),
					description: readText(raw, "details"),
					cvss,
					cwe: readTexts(raw, "database_specific.cwe_ids"),
					references: readTexts(raw, "references"),
				}),
			},
			...(name !== undefined && {
				package: {
					name,
					...dropAbsent({
						ecosystem,
						installedVersion: readText(scanned, "package.version"),
						fixedVersion: fixed.length === 0 ? undefined : fixed.join(", "),
						manifestPath,
					}),
				},
			}),
			...(readValue(raw, "withdrawn") !== undefined && { settled: "withdrawn" }),
			warnings,
		};
	}
}

type Affected = {
	readonly name: string | undefined;
	readonly ecosystem: string | undefined;
	/** One per maintained version line. */
	readonly entries: readonly Raw[];
};

/** The affected packages; of a scanned one only what is said about its own ecosystem, such as a release of Debian. */
function affectedBy(raw: Raw, scanned: Raw | undefined): readonly Affected[] {
	const listed = Map.groupBy(readList(raw, "affected").filter(isObject), (entry) =>
		[readText(entry, "package.name"), ecosystemOf(entry)].join("\0"),
	);
	const all = [...listed.values()].map((entries) => ({
		name: readText(entries[0], "package.name"),
		ecosystem: ecosystemOf(entries[0]),
		entries,
	}));
	const name = readText(scanned, "package.name");
	if (name === undefined) return all.length > 0 ? all : [{ name, ecosystem: undefined, entries: [] }];
	const named = all.filter((one) => one.name === name);
	const own = named.filter(({ ecosystem }) => ecosystem === ecosystemOf(scanned));
	const ecosystem = ecosystemOf(scanned) ?? named[0]?.ecosystem;
	return [{ name, ecosystem, entries: (own.length > 0 ? own : named).flatMap(({ entries }) => entries) }];
}

function ecosystemOf(from: Raw | undefined): string | undefined {
	return readText(from, "package.ecosystem")?.toLowerCase();
}

/** A scanner gives one score for a vulnerability and all its aliases. */
function scoresOf(scanned: Raw): Map<string, number | undefined> {
	const scores = new Map<string, number | undefined>();
	for (const group of readList(scanned, "groups"))
		for (const id of readTexts(group, "ids")) if (!scores.has(id)) scores.set(id, readNumber(group, "max_severity"));
	return scores;
}

/** Databases give a severity word; entries give a vector, or a word as Ubuntu's do. */
function ratingOf(raw: Raw, entries: readonly Raw[], score: number | undefined): ReturnType<typeof rateFinding> {
	const rated = [...entries, raw].flatMap((from) => readList(from, "severity")).map((one) => readText(one, "score"));
	const own = entries.flatMap((entry) => [
		readText(entry, "ecosystem_specific.severity"),
		readText(entry, "database_specific.severity"),
	]);
	return rateFinding(
		[readText(raw, "database_specific.severity"), ...own, ...rated],
		rated.filter((score) => score?.includes("/")).map((vector) => ({ vector })),
		{ score },
	);
}
