import type { Report } from "../../query/report.ts";
import { STOP_WORDS } from "../../tokens/wordForms.ts";
import { splitIntoWords } from "../../tokens/words.ts";
import { readMentions } from "../mentions/mentions.ts";
import { WEIGHTS } from "../weights.ts";
import { findQualifiedNames, GatheredTerms, type QueryTerms } from "./gatheredTerms.ts";

/** A report with more names is a listing. */
const MOST_SYMBOLS = 40;
const QUOTED_NAME = /`([A-Za-z_][\w.:#]*)(?:\(\))?`/g;

/** The terms to look up for a report. Its title counts most, then its prose, then what it pastes (logs, code). */
export function readReportTerms(report: Report, text: string): QueryTerms {
	const { title, said, shown } = report;
	const gathered = new GatheredTerms();
	let keywords: readonly string[] = [];
	for (const [text, count] of [
		[title, WEIGHTS.titleWords],
		[said, 1],
		[shown, WEIGHTS.shownWords],
	] as const) {
		for (const word of tellingWords(text)) gathered.add(word, count);
		// Paths are compared with the title or, if it has no keywords, with the next part.
		if (keywords.length === 0) keywords = [...gathered.keywords];
	}
	const owned = findQualifiedNames(`${title}\n${said}`);
	const quoted = [...`${title}\n${said}`.matchAll(QUOTED_NAME)].map(([, name = ""]) => name);
	return {
		terms: gathered.terms(WEIGHTS.reportPower),
		related: [],
		symbols: [...new Set([...owned, ...quoted, ...gathered.identifiers])].slice(0, MOST_SYMBOLS),
		shape: "report",
		keywords,
		languages: NO_LANGUAGES,
		dashed: undefined,
		owned: undefined,
		run: undefined,
		mentions: readMentions(text),
		isSpelled: false,
		asksForLines: !report.isTold,
		file: undefined,
		meant: said === "" && title === "" ? text : `${title}\n${title}\n${said}`,
	};
}

/** A report names languages to tell where the fault occurred, not which files are at fault. */
const NO_LANGUAGES: ReadonlySet<string> = new Set();

function tellingWords(text: string): string[] {
	return splitIntoWords(text).filter((word) => word.length > 1 && !/^\d/.test(word) && !isHollow(word.toLowerCase()));
}

function isHollow(word: string): boolean {
	return STOP_WORDS.has(word) || REPORT_WORDS.has(word);
}

/** Words of every report, whatever its subject. */
const REPORT_WORDS: ReadonlySet<string> = new Set(
	`describe bug bugs issue issues problem report reported expected expect actual behavior behaviour result results steps
	reproduce version versions environment please thanks thank hi hello help fix example following minimal current
	currently instead happen happens happened think know want need seems seem see get got try tried trying however
	because since still even now although`.split(/\s+/),
);
