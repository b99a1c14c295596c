import { listTypeIds, splitWord } from "../../src/parse/extract/spec/compileSpec.ts";
import { listRoleNames } from "../../src/parse/extract/spec/roles.ts";
import type { GrammarSpec } from "../../src/parse/specs/spec.ts";
import type { Grammar } from "../../src/parse/tree/flatTree.ts";

/** Node types and fields that a spec names but its grammar lacks; such a misspelling would silently match nothing. */
export function unknownNames(spec: GrammarSpec, grammar: Grammar): string[] {
	const ids = listTypeIds(grammar);
	const steps = selectorsOf(spec)
		.flatMap((selector) => selector.split(/[/|]/))
		.filter((step) => step !== "");
	const types = [
		...[...listRoleNames(spec)].flatMap(([, names]) => [...(names ?? [])]),
		...steps
			.filter((step) => /^@(?!first$|last$|self$|after first$)/.test(step))
			.map((step) => step.replace(/^@(?:after |before )?/, "")),
		...[spec.literals, spec.nameUnder].flatMap((table) => Object.keys(table ?? {})),
		...[
			spec.nameParents,
			spec.typeParents,
			spec.targetLists,
			spec.valueLists,
			spec.wordNodes,
			spec.patterns,
			spec.initializers,
		].flatMap((names) => names ?? []),
		...(spec.symbolCalls ? [spec.symbolCalls.symbol] : []),
		...(spec.macroItems ? [spec.macroItems.call] : []),
		...(spec.declarators ? Object.values(spec.declarators).flat() : []),
		...(spec.testCalls ? [spec.testCalls.call, spec.testCalls.titles, spec.testCalls.groupTitles ?? []].flat() : []),
	];
	const fields: (string | null)[] = [
		...steps.filter((step) => !step.startsWith("@")),
		...(spec.nameFields ?? []),
		...(spec.typeFields ?? []),
		...(spec.patternFields ?? []),
		...Object.values(spec.nameUnder ?? {}),
		...(spec.implementsField === undefined ? [] : [spec.implementsField]),
	];
	return [
		...types.map((name) => splitWord(name)[0]).filter((name) => !ids.has(name)),
		...fields.filter((name) => !grammar.fields.includes(name)).map((name) => `field ${name}`),
	];
}

function selectorsOf(spec: GrammarSpec): string[] {
	return [
		...Object.values({ ...spec.calls, ...spec.constructs }).flat(),
		...Object.values(spec.assignments ?? {}).flatMap((rule) => [
			rule.left,
			rule.right ?? "",
			...(rule.operators ?? []).map((operator) => `@'${operator}'`),
		]),
		...Object.values(spec.imports ?? {}),
		...Object.values(spec.definitions).flatMap((rule) => [
			...[rule.name, rule.requires, rule.within, rule.result, rule.receiver, rule.value?.field].map(
				(name) => name ?? "",
			),
			...[rule.tail, rule.labels].flatMap((types) => types?.split("|").map((type) => `@${type}`) ?? []),
			...(typeof rule.kind === "string" ? [] : Object.keys(rule.kind.byChild).map((name) => `@${name}`)),
			...Object.keys(rule.value?.kinds ?? {}).map((name) => `@${name}`),
		]),
	];
}
