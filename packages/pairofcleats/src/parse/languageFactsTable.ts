import { LANGUAGE_FACTS } from "./languageFacts.ts";

/** The table of docs/languages.md: which language fills which fact. */
export function writeLanguageFactsTable(): string {
	const languages = [...LANGUAGE_FACTS].filter(([, fields]) => fields.size > 0).map(([id]) => id);
	const fields = [...new Set([...LANGUAGE_FACTS.values()].flatMap((filled) => [...filled]))];
	const rows = fields.map((field) => {
		const filled = languages.filter((id) => LANGUAGE_FACTS.get(id)?.has(field));
		const missing = languages.filter((id) => !filled.includes(id));
		const text =
			missing.length === 0
				? "all"
				: missing.length < filled.length
					? `all but ${missing.join(", ")}`
					: filled.join(", ");
		return `| ${field} | ${text} |`;
	});
	return ["| fact | filled by |", "|---|---|", ...rows, ""].join("\n");
}
