import { suggestion } from "libmcp/command";
import type { Catalog } from "../catalog/catalog.ts";
import {
	compilePattern,
	LOCAL_NAMESPACE,
	listAskedIds,
	listRuleIds,
	MAX_NAMESPACE_LENGTH,
	safeName,
} from "../catalog/toolId.ts";
import { readSection } from "../config/configFile.ts";
import type { Config } from "../config/load.ts";
import { isObject } from "../contract/json.ts";
import { LOCAL_VIEWER } from "../run/access.ts";

/** What names tools, and the servers that it may name: a typing error in a rule could let a tool run. */
type Rules = Pick<Config, "servers" | "disabled" | "toolsets" | "skills" | "sections">;

/** A place that names tools, and the id or pattern that it has. */
type Mention = {
	readonly place: string;
	readonly word: string;
	readonly does: "choose" | "exclude" | "call";
};

/** The words that name a server which is not configured; `others` are servers that come from elsewhere. */
export function findUnknownServers(rules: Rules, others: readonly string[] = []): readonly string[] {
	const known = [
		...rules.servers.map(({ namespace }) => namespace),
		...rules.disabled.map((name) => safeName(name, MAX_NAMESPACE_LENGTH)),
		LOCAL_NAMESPACE,
		...others,
	];
	const trusted = textsIn(rules.sections.quarantine.trust)
		.filter((name) => !known.includes(name))
		.map((name) => `quarantine.trust: no server is called ${name}${suggestion(name, known)}`);
	const mentioned = mentionsIn(rules).flatMap(({ place, word, does }) => {
		const namespace = namespaceIn(word);
		if (namespace === undefined)
			return does === "call" || word.includes("*") ? [] : [`${place}: ${word}: expected an id such as server:tool`];
		if (namespace.includes("*") || known.includes(namespace)) return [];
		return [`${place}: ${word}: no server is called ${namespace}${suggestion(namespace, known)}`];
	});
	return [...mentioned, ...trusted];
}

/** The rules for callers that nobody can be, as far as the keys tell; who has a token is not known here. */
export function findUnknownCallers({ sections: { auth, policy } }: Rules): readonly string[] {
	if (auth.oauth !== undefined) return [];
	const known = [...Object.keys(readSection(auth.keys)), LOCAL_VIEWER.id];
	return Object.entries(policy)
		.filter(([who, rule]) => isObject(rule) && who !== "*" && !who.startsWith("scope:") && !known.includes(who))
		.map(([who]) => `policy.${who}: no caller is called ${who}${suggestion(who, known)}`);
}

/** The words for tools of one server that it does not have; a pattern may well exclude what is not there yet. */
export function findUnknownTools(rules: Rules, namespace: string, catalog: Catalog): readonly string[] {
	const tools = catalog.toolsOf(namespace);
	const ids = tools.flatMap(({ id }) => listAskedIds(id));
	const names = tools.flatMap(listRuleIds);
	return mentionsIn(rules)
		.filter(({ word }) => namespaceIn(word) === namespace)
		.filter((mention) => isIdle(mention, names, catalog))
		.map(({ place, word }) => `${place}: no tool is called ${word}${suggestion(word, ids)}`);
}

function isIdle({ word, does }: Mention, names: readonly string[], catalog: Catalog): boolean {
	switch (does) {
		case "choose":
			return !names.some(compilePattern(word));
		case "exclude":
			return !word.includes("*") && !names.includes(word);
		case "call":
			return catalog.resolve(word).length === 0;
	}
}

function mentionsIn({ toolsets, skills, sections }: Rules): readonly Mention[] {
	return [
		...toolsets.flatMap(({ name, tools, exclude }) => [
			...mentions(tools, `toolsets.${name}.tools`, "choose"),
			...mentions(exclude, `toolsets.${name}.exclude`, "exclude"),
		]),
		...Object.entries(sections.policy).flatMap(([who, rule]) => [
			...mentions(readSection(rule).allow, `policy.${who}.allow`, "choose"),
			...mentions(readSection(rule).deny, `policy.${who}.deny`, "exclude"),
		]),
		...skills.flatMap(({ name, steps }) =>
			mentions(
				steps.map((step) => step.tool_id),
				`skills.${name}`,
				"call",
			),
		),
	];
}

function mentions(words: unknown, place: string, does: Mention["does"]): readonly Mention[] {
	return textsIn(words).map((word) => ({ place, word, does }));
}

function textsIn(words: unknown): readonly string[] {
	return Array.isArray(words) ? words.filter((word) => typeof word === "string") : [];
}

function namespaceIn(word: string): string | undefined {
	const colon = word.indexOf(":");
	return colon < 0 ? undefined : word.slice(0, colon);
}

/** Logs each rule that names something unknown once, until it is put right. */
export class IdleRuleLog {
	readonly #log: (line: string) => void;
	#told: ReadonlySet<string> = new Set();

	constructor(log: (line: string) => void) {
		this.#log = log;
	}

	/** Takes all problems that there are now. */
	tell(problems: readonly string[]): void {
		for (const problem of problems) if (!this.#told.has(problem)) this.#log(problem);
		this.#told = new Set(problems);
	}
}
