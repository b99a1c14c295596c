import { CleatsError, invalidField } from "../../../contract/errors.ts";
import { isObject } from "../../../contract/isObject.ts";
import { listLanguagesNamed } from "../../detectLanguage.ts";
import { DEFAULT_RISK_RULES } from "./defaultRules.ts";
import {
	FAMILIES,
	type RiskRules,
	type RiskSanitizer,
	type RiskSink,
	type RiskSource,
	SEVERITIES,
	type Severity,
} from "./rules.ts";

const KINDS = ["sources", "sinks", "sanitizers"] as const;
const PATTERN = /^(?:\*\.)?[\w$@#]+(?:(?:\.|::)[\w$@#]+)*(?:\(\)|=)?$/;
const MAX_RULES = 1_000;

/** An index keeps the rules it was given, also from a time when an unknown language was not refused. */
type Origin = "given" | "kept";

/**
 * Reads a user's rules: an object with `extends` ("default" or "none"), `sources`, `sinks` and `sanitizers`. They are
 * added to the built-in rules unless `extends` is "none". Every mistake throws an error that names its field.
 */
export function readRiskRules(text: string, origin: Origin = "given"): RiskRules {
	const file = parse(text);
	for (const key of Object.keys(file)) {
		if (key !== "extends" && !(KINDS as readonly string[]).includes(key))
			throw invalidField(key, `one of extends, ${KINDS.join(", ")}`, file[key]);
	}
	const base = file.extends ?? "default";
	if (base !== "default" && base !== "none") throw invalidField("extends", '"default" or "none"', base);
	const own: RiskRules = {
		sources: rules(file, "sources").map(
			({ path, rule }): RiskSource => ({
				...common(path, rule, origin),
				tags: strings(`${path}.tags`, rule.tags ?? [rule.name]),
				...(rule.fills !== undefined && { fills: flag(`${path}.fills`, rule.fills) }),
			}),
		),
		sinks: rules(file, "sinks").map(
			({ path, rule }): RiskSink => ({
				...common(path, rule, origin),
				tags: strings(`${path}.tags`, rule.tags ?? [rule.name]),
				category: word(`${path}.category`, rule.category),
				severity: severity(`${path}.severity`, rule.severity ?? "medium"),
				...(rule.argument !== undefined && { argument: index(`${path}.argument`, rule.argument) }),
				...(rule.quiet !== undefined && { quiet: flag(`${path}.quiet`, rule.quiet) }),
			}),
		),
		sanitizers: rules(file, "sanitizers").map(({ path, rule }): RiskSanitizer => common(path, rule, origin)),
	};
	if (base === "none") return own;
	return {
		sources: [...own.sources, ...DEFAULT_RISK_RULES.sources],
		sinks: [...own.sinks, ...DEFAULT_RISK_RULES.sinks],
		sanitizers: [...own.sanitizers, ...DEFAULT_RISK_RULES.sanitizers],
	};
}

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): Fields {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new CleatsError(
			"INVALID_REQUEST",
			`risk rules: expected JSON, got text that is not (${why})`,
			{ field: "" },
			{ cause: error },
		);
	}
	if (!isObject(value)) throw invalidField("risk rules", "an object", value);
	return value;
}

function rules(file: Fields, kind: (typeof KINDS)[number]): { path: string; rule: Fields }[] {
	const list = file[kind] ?? [];
	if (!Array.isArray(list) || list.length > MAX_RULES)
		throw invalidField(kind, `an array of at most ${MAX_RULES} rules`, list);
	const known = [
		"name",
		"languages",
		"patterns",
		...(kind === "sanitizers" ? [] : ["tags"]),
		...(kind === "sources" ? ["fills"] : []),
		...(kind === "sinks" ? ["category", "severity", "argument", "quiet"] : []),
	];
	return list.map((rule: unknown, index) => {
		const path = `${kind}[${index}]`;
		if (!isObject(rule)) throw invalidField(path, "an object", rule);
		for (const key of Object.keys(rule))
			if (!known.includes(key)) throw invalidField(`${path}.${key}`, `one of ${known.join(", ")}`, rule[key]);
		return { path, rule };
	});
}

function common(path: string, rule: Fields, origin: Origin): Pick<RiskSource, "name" | "languages" | "patterns"> {
	const patterns = strings(`${path}.patterns`, rule.patterns);
	if (patterns.length === 0) throw invalidField(`${path}.patterns`, "at least one pattern", rule.patterns);
	patterns.forEach((pattern, index) => {
		if (!PATTERN.test(pattern))
			throw invalidField(`${path}.patterns[${index}]`, "a name such as req.body, *.query() or *.innerHTML=", pattern);
	});
	const languages = strings(`${path}.languages`, rule.languages ?? []);
	return {
		name: word(`${path}.name`, rule.name),
		languages: languages.flatMap((language, index) => {
			const named = familyOf(language.toLowerCase()) ?? listLanguagesNamed(language);
			if (named.length > 0) return named;
			// No language at all would mean every language.
			if (origin === "kept") return [language];
			throw invalidField(`${path}.languages[${index}]`, "a language such as go, js or ecmascript", language);
		}),
		patterns,
	};
}

/** The languages of a family such as `ecmascript`. */
function familyOf(name: string): readonly string[] | undefined {
	return name === "ecmascript" || name === "jvm" || name === "native" ? FAMILIES[name] : undefined;
}

function word(path: string, value: unknown): string {
	if (typeof value !== "string" || !/^[\w.-]{1,60}$/.test(value))
		throw invalidField(path, "a word of letters, digits, dots, dashes", value);
	return value;
}

function strings(path: string, value: unknown): string[] {
	if (!Array.isArray(value)) throw invalidField(path, "an array of strings", value);
	return value.map((entry: unknown, index) => {
		if (typeof entry !== "string" || entry === "" || entry.length > 200)
			throw invalidField(`${path}[${index}]`, "a short string", entry);
		return entry;
	});
}

function flag(path: string, value: unknown): boolean {
	if (typeof value !== "boolean") throw invalidField(path, "true or false", value);
	return value;
}

function index(path: string, value: unknown): number {
	if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
		throw invalidField(path, "the place of an argument, from 0", value);
	return value;
}

function severity(path: string, value: unknown): Severity {
	const found = SEVERITIES.find((name) => name === value);
	if (!found) throw invalidField(path, `one of ${SEVERITIES.join(", ")}`, value);
	return found;
}
