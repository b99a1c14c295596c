import type { Report } from "../query/report.ts";
import { STOP_WORDS } from "../tokens/stopWords.ts";
import { wordsOf } from "../tokens/terms.ts";
import { GatheredTerms, type QueryTerms } from "./gatheredTerms.ts";
import { mentionsIn } from "./mentions.ts";
import { qualifiedNames } from "./qualifiedNames.ts";
import { WEIGHTS } from "./weights.ts";

/** More names than this are a listing. */
const MOST_SYMBOLS = 40;
const QUOTED_NAME = /`([A-Za-z_][\w.:#]*)(?:\(\))?`/g;

/** What a report is looked up by: its title before what it says, that before what it shows. */
export function reportTerms(report: Report, text: string): QueryTerms {
	const { title, said, shown } = report;
	const gathered = new GatheredTerms();
	let keywords: readonly string[] = [];
	for (const [text, count] of [
		[title, WEIGHTS.titleWords],
		[said, 1],
		[shown, WEIGHTS.shownWords],
	] as const) {
		for (const word of tellingWords(text)) gathered.add(word, count);
		// Paths are compared with what the report is about: its title, or the next best where that says nothing.
		if (keywords.length === 0) keywords = [...gathered.keywords];
	}
	const owned = qualifiedNames(`${title}\n${said}`);
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
		mentions: mentionsIn(text),
		asksForLines: !report.isTold,
		meant: said === "" && title === "" ? text : `${title}\n${title}\n${said}`,
	};
}

/** What a report says of languages is where it happened, not what is at fault. */
const NO_LANGUAGES: ReadonlySet<string> = new Set();

function tellingWords(text: string): string[] {
	return wordsOf(text).filter((word) => word.length > 1 && !/^\d/.test(word) && !isHollow(word.toLowerCase()));
}

function isHollow(word: string): boolean {
	return STOP_WORDS.has(word) || REPORT_WORDS.has(word);
}

/** What every report says, whatever it is about. */
const REPORT_WORDS: ReadonlySet<string> = new Set(
	`describe bug bugs issue issues problem report reported expected expect actual behavior behaviour result results steps
	reproduce version versions environment please thanks thank hi hello help fix example following minimal current
	currently instead happen happens happened think know want need seems seem see get got try tried trying however
	because since still even now although`.split(/\s+/),
);
