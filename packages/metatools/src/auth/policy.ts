import { canMatchAfter, compilePattern, hasAllAfter, listAskedIds, listRuleIds } from "../catalog/toolId.ts";
import type { JsonObject } from "../contract/json.ts";
import { ALLOW, type Gate, HIDE, type Viewer } from "../run/access.ts";
import { readObject, readTexts, refuseOthers } from "./section.ts";

/** Tells whether some of its patterns match. */
type Patterns = {
	matches(ids: readonly string[]): boolean;
	matchSomeAfter(prefix: string): boolean;
	matchAllAfter(prefix: string): boolean;
};
type Rule = {
	readonly concerns: (viewer: Viewer) => boolean;
	/** Null when the rule only denies. */
	readonly allows: Patterns | null;
	readonly denies: Patterns;
};

/**
 * Who may find and run what, by the `policy` section: rules for a caller by name, for `scope:<name>`, or for `*`. A caller
 * sees a tool when one of its rules allows it and none denies it; if there are rules but none for the caller, it sees
 * nothing. A rule that only denies subtracts from what the caller's other rules allow, or from everything if it is alone.
 */
export function createPolicyGate(section: () => JsonObject): Gate {
	let read: { readonly from: JsonObject; readonly rules: readonly Rule[] } | undefined;
	const isOpen = (viewer: Viewer, allows: (patterns: Patterns) => boolean, denies = allows): boolean => {
		const from = section();
		// Kept until a reload brings another section.
		if (read?.from !== from) read = { from, rules: readPolicy(from) };
		if (read.rules.length === 0) return true;
		const mine = read.rules.filter((rule) => rule.concerns(viewer));
		if (mine.length === 0 || mine.some((rule) => denies(rule.denies))) return false;
		const allowing = mine.flatMap((rule) => rule.allows ?? []);
		return allowing.length === 0 || allowing.some(allows);
	};
	const allows = (ids: readonly string[], viewer: Viewer): boolean =>
		isOpen(viewer, (patterns) => patterns.matches(ids));
	const mayAllow = (prefix: string, viewer: Viewer): boolean =>
		isOpen(
			viewer,
			(patterns) => patterns.matchSomeAfter(prefix),
			(patterns) => patterns.matchAllAfter(prefix),
		);
	return {
		check: (tool, viewer) => (allows(listRuleIds(tool), viewer) ? ALLOW : HIDE),
		admits: (namespace, viewer, id) =>
			id === undefined ? mayAllow(`${namespace}:`, viewer) : allows(listAskedIds(id), viewer),
		// A rule for `git:*` covers the namespace whatever tools it has.
		covers: (namespace, viewer) => allows([`${namespace}:`], viewer),
	};
}

export function readPolicy(section: JsonObject): readonly Rule[] {
	return Object.entries(section).map(([who, given]) => {
		const rule = readObject(given, `policy.${who}`);
		refuseOthers(rule, ["allow", "deny"], `policy.${who}`);
		const onlyDenies = rule.allow === undefined && rule.deny !== undefined;
		const allow = rule.allow === undefined ? ["*"] : readTexts(rule.allow, `policy.${who}.allow`);
		return {
			concerns: concerns(who),
			allows: onlyDenies ? null : anyOf(allow),
			denies: anyOf(readTexts(rule.deny, `policy.${who}.deny`)),
		};
	});
}

function concerns(who: string): Rule["concerns"] {
	if (who === "*") return () => true;
	if (!who.startsWith("scope:")) return (viewer) => viewer.id === who;
	const scope = who.slice("scope:".length);
	return (viewer) => viewer.scopes?.includes(scope) === true;
}

function anyOf(patterns: readonly string[]): Patterns {
	const matchers = patterns.map((pattern) => compilePattern(pattern));
	return {
		matches: (ids) => matchers.some((matches) => ids.some(matches)),
		matchSomeAfter: (prefix) => patterns.some((pattern) => canMatchAfter(prefix, pattern)),
		matchAllAfter: (prefix) => patterns.some((pattern) => hasAllAfter(prefix, pattern)),
	};
}
