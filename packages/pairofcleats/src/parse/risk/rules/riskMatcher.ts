import type { RiskRules, RiskSanitizer, RiskSink, RiskSource } from "./rules.ts";

export type RiskForm = "value" | "call" | "assign" | "decorator";

type Pattern<T> = { readonly rule: T; readonly form: RiskForm; readonly receiver: readonly string[] | "any" };

/** Patterns that apply to one language, indexed by the last word of the name. */
export class PatternTable<T> {
	readonly #byLast = new Map<string, Pattern<T>[]>();
	/** The last words before the last one. */
	readonly #receivers = new Set<string>();

	constructor(
		rules: readonly (T & { readonly languages: readonly string[]; readonly patterns: readonly string[] })[],
		language: string,
	) {
		for (const rule of rules) {
			if (rule.languages.length > 0 && !rule.languages.includes(language)) continue;
			for (const written of rule.patterns) this.#add(rule, written);
		}
	}

	/** Whether any pattern ends in this word: the cheapest test. */
	has(last: string): boolean {
		return this.#byLast.has(last);
	}

	/** Whether a name with an unknown receiver, or with a receiver that starts in `roots`, could match a pattern. */
	mayMatch(last: string, form: RiskForm, roots: ReadonlySet<string>): boolean {
		const candidates = this.#byLast.get(last);
		return (
			candidates?.some(
				(pattern) => pattern.form === form && (pattern.receiver === "any" || roots.has(pattern.receiver[0] ?? "")),
			) ?? false
		);
	}

	/** The rule for a name such as `a.b.c`; the pattern must match its last words. */
	match(name: string, form: RiskForm): T | undefined {
		const candidates = this.#byLast.get(lastWord(name));
		if (!candidates) return undefined;
		const receiver = splitName(name).slice(0, -1);
		// In Ruby, `@name` is a variable, not a decorator.
		const isForm = (written: RiskForm): boolean => written === form || (written === "decorator" && form === "value");
		return candidates.find((pattern) => isForm(pattern.form) && fits(pattern, receiver))?.rule;
	}

	/** The rule for what an imported name stands for. `*.query()` does not match: any function may have that name. */
	matchImported(full: string, form: RiskForm): T | undefined {
		const receiver = splitName(full).slice(0, -1);
		return this.#byLast
			.get(lastWord(full))
			?.find((pattern) => pattern.form === form && pattern.receiver !== "any" && fits(pattern, receiver))?.rule;
	}

	/** Whether a name that stands for this one can make a difference, as a call or as the receiver of one. */
	concerns(full: string): boolean {
		return this.#receivers.has(lastWord(full)) || this.matchImported(full, "call") !== undefined;
	}

	#add(rule: T, written: string): void {
		const form = formOf(written);
		const words = splitName(written.replace(/\(\)$|=$/, ""));
		const last = words.at(-1) ?? "";
		const receiver = words[0] === "*" ? (words.length === 2 ? "any" : words.slice(1, -1)) : words.slice(0, -1);
		const list = this.#byLast.get(last) ?? [];
		list.push({ rule, form, receiver });
		if (receiver !== "any") this.#receivers.add(receiver.at(-1) ?? "");
		this.#byLast.set(last, list);
	}
}

export type RiskTables = {
	readonly sources: PatternTable<RiskSource>;
	readonly sinks: PatternTable<RiskSink>;
	readonly sanitizers: PatternTable<RiskSanitizer>;
};

const compiled = new WeakMap<RiskRules, Map<string, RiskTables>>();

export function compileRiskTables(rules: RiskRules, language: string): RiskTables {
	const byLanguage = compiled.get(rules) ?? new Map<string, RiskTables>();
	compiled.set(rules, byLanguage);
	const before = byLanguage.get(language);
	if (before) return before;
	const sources = new PatternTable(rules.sources, language);
	const sinks = new PatternTable(rules.sinks, language);
	const sanitizers = new PatternTable(rules.sanitizers, language);
	const tables = { sources, sinks, sanitizers };
	byLanguage.set(language, tables);
	return tables;
}

/** A pattern without a receiver matches only names without one; otherwise the name may have more words in front. */
function fits(
	pattern: { readonly form: RiskForm; readonly receiver: readonly string[] | "any" },
	receiver: readonly string[],
): boolean {
	if (pattern.receiver === "any") return receiver.length > 0;
	if (pattern.receiver.length === 0) return receiver.length === 0;
	const end = receiver.slice(-pattern.receiver.length);
	return end.length === pattern.receiver.length && end.every((word, index) => word === pattern.receiver[index]);
}

function formOf(written: string): RiskForm {
	if (/^@\w/.test(written)) return "decorator";
	return written.endsWith("()") ? "call" : written.endsWith("=") ? "assign" : "value";
}

function lastWord(name: string): string {
	const end = Math.max(name.lastIndexOf("."), name.lastIndexOf(":"), name.lastIndexOf(">"), name.lastIndexOf("\\"));
	return name.slice(end + 1);
}

function splitName(name: string): string[] {
	return name.split(/\.|::|->|\\/).filter((word) => word !== "");
}
