import type { ChunkFacts } from "./chunk.ts";
import { LANGUAGES, type Language } from "./languages.ts";
import { DEFAULT_RISK_RULES } from "./risk/rules/defaultRules.ts";
import { COMPONENTS } from "./specs/components.ts";
import { SPECS } from "./specs/index.ts";
import type { GrammarSpec } from "./specs/spec.ts";

export type FactField = keyof ChunkFacts;

/** Facts a language fills; a filter on any other field can match nothing in it. */
export const LANGUAGE_FACTS: ReadonlyMap<string, ReadonlySet<FactField>> = new Map(
	LANGUAGES.map((language) => [language.id, factsOf(language)]),
);

function factsOf({ id, parser }: Language): ReadonlySet<FactField> {
	if (id === "sql") return new Set<FactField>(["signature", "reads", "writes", "docstring"]);
	const grammars = grammarsOf(parser);
	const fields = new Set(
		grammars.flatMap((grammar) => SPECS[grammar] ?? []).flatMap((spec) => [...listFactFields(spec)]),
	);
	const rules = [...DEFAULT_RISK_RULES.sources, ...DEFAULT_RISK_RULES.sinks];
	const ids = [id, ...grammars];
	if (rules.some((rule) => rule.languages.some((name) => ids.includes(name)))) fields.add("risk");
	return fields;
}

/** The grammar of a language, and those of the languages embedded in its files. */
function grammarsOf(parser: Language["parser"]): string[] {
	if (parser && "component" in parser) {
		const { script, style } = COMPONENTS[parser.component];
		return [...Object.values(script), ...Object.values(style)];
	}
	if (!parser || !("grammar" in parser)) return [];
	const embedded = SPECS[parser.grammar]?.embedded ?? [];
	return [parser.grammar, ...embedded.map(({ grammar }) => grammar)];
}

/** The facts that a spec can yield. Risk depends on the rules for its language. */
export function listFactFields(spec: GrammarSpec): ReadonlySet<FactField> {
	const rules = Object.values(spec.definitions);
	const has: Readonly<Record<FactField, boolean>> = {
		signature: rules.length > 0,
		params: spec.parameters === undefined ? spec.calls !== undefined : spec.parameters.length > 0,
		decorators: spec.decorators !== undefined,
		returnType: rules.some((rule) => rule.result !== undefined),
		inferredTypes: spec.literals !== undefined,
		visibility: spec.visibility !== undefined,
		exported: spec.exported !== undefined,
		async: spec.awaits !== undefined || spec.asyncWord !== undefined,
		generator: spec.yields !== undefined,
		returns: spec.returns !== undefined,
		extends: spec.extends !== undefined,
		implements: spec.implements !== undefined,
		imports: spec.imports !== undefined || spec.importCalls !== undefined,
		calls: spec.calls !== undefined,
		uses: spec.identifiers.length > 0,
		throws: spec.throws !== undefined || spec.throwCalls !== undefined,
		awaits: spec.awaits !== undefined,
		reads: spec.assignments !== undefined,
		writes: spec.assignments !== undefined,
		mutates: spec.assignments !== undefined && (spec.members !== undefined || spec.indexes !== undefined),
		aliases: spec.assignments !== undefined,
		branches: spec.branches !== undefined,
		loops: spec.loops !== undefined,
		breaks: spec.breaks !== undefined,
		continues: spec.continues !== undefined,
		docstring: spec.comments.length > 0,
		risk: false,
	};
	const fields = new Set<FactField>();
	for (const [field, filled] of Object.entries(has)) if (filled) fields.add(field as FactField);
	return fields;
}

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
