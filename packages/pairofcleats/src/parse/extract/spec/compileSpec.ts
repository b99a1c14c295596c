import type { AssignmentRule, DefinitionRule } from "../../specs/rules.ts";
import type { GrammarSpec } from "../../specs/spec.ts";
import type { FlatTree, Grammar } from "../../tree/flatTree.ts";
import { readNodeText } from "../../tree/nodeText.ts";
import { compileBoundTest, compilePick, type Pick, pickByRole, pickFirst, pickNothing } from "./pick.ts";
import { listRoleNames, ROLE } from "./roles.ts";

/** What an identifier is by its position. No bit set means a value. */
export const STANDING = { name: 1, type: 2, byField: 4 } as const;

/**
 * What a node lists: targets of one assignment, values, names of one definition, names of a path, labels, names with
 * defaults, patterns in which capitalised names are values, or members of what is created.
 */
export const LIST = {
	targets: 1,
	values: 2,
	names: 4,
	path: 8,
	labels: 16,
	defaults: 32,
	stable: 64,
	initializers: 128,
} as const;

/** `+=`, `<<=` and C++'s `and_eq`; not `:=`, and no comparison. */
const COMPOUND = /^(?![<>!]=$|:=$).*[^=]=$|^(?:and|x?or)_eq$/;

export type CompiledRule = Omit<
	DefinitionRule,
	| "name"
	| "requires"
	| "within"
	| "result"
	| "value"
	| "receiver"
	| "under"
	| "before"
	| "tail"
	| "visibleWith"
	| "restWithout"
> & {
	readonly pickName: Pick;
	readonly descends: boolean;
	readonly pickRequired: Pick | undefined;
	readonly pickWithin: Pick | undefined;
	readonly pickResult: Pick | undefined;
	readonly pickReceiver: Pick | undefined;
	readonly pickVisible: Pick | undefined;
	readonly pickOwnBody: Pick | undefined;
	readonly value: { readonly pick: Pick; readonly kinds: DefinitionRule["value"] & object } | undefined;
	readonly under: ReadonlySet<number> | undefined;
	readonly before: ReadonlySet<number> | undefined;
	readonly tail: ReadonlySet<number> | undefined;
};

export type CompiledSpec = {
	readonly spec: GrammarSpec;
	readonly grammar: Grammar;
	readonly roles: Uint32Array;
	readonly rules: ReadonlyMap<number, CompiledRule>;
	readonly spans: ReadonlyMap<number, readonly Pick[]>;
	readonly assignments: ReadonlyMap<number, CompiledAssignment>;
	readonly awaited: ReadonlyMap<number, Pick>;
	/** Without a `pick`, the whole statement is read. */
	readonly imports: ReadonlyMap<number, readonly { readonly word: string; readonly pick: Pick | undefined }[]>;
	readonly words: ReadonlyMap<number, readonly { readonly word: string; readonly role: number }[]>;
	readonly literals: ReadonlyMap<number, string>;
	/** Type id of a macro's token tree; -1 if the language has none. */
	readonly tokenTree: number;
	/** Bits of `STANDING`, by the type id of an identifier's parent and by its field id. */
	readonly standing: { readonly under: Uint8Array; readonly at: Uint8Array };
	/** By type id of a parent: the one field in which an identifier is a name, not a value. */
	readonly nameUnder: Uint16Array;
	/** By type id: bits of `LIST`. */
	readonly lists: Uint8Array;
	/** The types of definitions that sections apply to; absent if they apply to all. */
	readonly sectioned: ReadonlySet<number> | undefined;
	readonly pickBody: Pick;
	readonly pickParameters: Pick;
};

type CompiledAssignment = AssignmentRule & {
	readonly pickLeft: Pick;
	readonly pickRight: Pick;
	readonly pickOperator: Pick | undefined;
	/** Whether it assigns where it stands; absent if it does everywhere. */
	readonly holds: ((tree: FlatTree, node: number) => boolean) | undefined;
	/** Finds `+=` or the like; absent if the rule's nodes cannot contain one. */
	readonly pickCompound: Pick | undefined;
};

/** Whether a node of an assigning type really assigns: `i++` does, `-i` does not. */
export function isAssigning(tree: FlatTree, rule: CompiledAssignment, node: number): boolean {
	if (rule.holds && !rule.holds(tree, node)) return false;
	if (rule.begins && !rule.begins.some((word) => hasFirstWord(tree, node, word))) return false;
	if (rule.operatorName && !rule.operatorName.test(readNodeText(tree, rule.pickOperator?.(tree, node) ?? -1)))
		return false;
	if (rule.named && !rule.named.test(readNodeText(tree, rule.pickLeft(tree, node)))) return false;
	return rule.pickOperator === undefined || rule.pickOperator(tree, node) >= 0;
}

/** Whether what a node is right in gives members of something new their values. */
export function isInitializer(tree: FlatTree, lists: Uint8Array, node: number): boolean {
	return ((lists[tree.type[tree.parent[node] ?? 0] ?? 0] ?? 0) & LIST.initializers) !== 0;
}

/** Whether an assignment also reads its target: `a += b`, `a++`. */
export function isUpdating(tree: FlatTree, rule: CompiledAssignment, node: number): boolean {
	return rule.update === true || (rule.pickCompound !== undefined && rule.pickCompound(tree, node) >= 0);
}

/** The left side, with its later siblings if they are targets too. */
export function listTargets(tree: FlatTree, rule: CompiledAssignment, left: number): readonly number[] {
	const targets = [left];
	const end = rule.several ? (tree.until[tree.parent[left] ?? 0] ?? 0) : 0;
	for (let at = tree.until[left] ?? end; at < end; at = tree.until[at] ?? end)
		if (tree.field[at] === tree.field[left]) targets.push(at);
	return targets;
}

/** Resolves the names of a spec against its grammar, once per thread and language. */
export function compileSpec(spec: GrammarSpec, grammar: Grammar): CompiledSpec {
	const ids = listTypeIds(grammar);
	const idsOf = (name: string): readonly number[] => ids.get(name) ?? [];
	const pick = (selector: string): Pick => compilePick(selector, grammar, idsOf);
	const roles = new Uint32Array(0x10000);
	const words = new Map<number, { word: string; role: number }[]>();
	const mark = (names: Iterable<string> | undefined, role: number): void => {
		for (const name of names ?? []) {
			const [type, word] = splitWord(name);
			for (const id of idsOf(type)) {
				roles[id] = (roles[id] ?? 0) | (word === "" ? role : ROLE.byWord);
				if (word !== "") words.set(id, [...(words.get(id) ?? []), { word, role }]);
			}
		}
	};
	for (const [role, names] of listRoleNames(spec)) mark(names, role);
	const byType = <T, U>(table: Readonly<Record<string, T>> | undefined, make: (value: T) => U): Map<number, U> =>
		new Map(Object.entries(table ?? {}).flatMap(([name, value]) => idsOf(name).map((id) => [id, make(value)])));
	const standing = { under: new Uint8Array(0x10000), at: new Uint8Array(grammar.fields.length + 1) };
	const nameUnder = new Uint16Array(0x10000);
	const stand = (table: Uint8Array, found: readonly number[], bit: number): void => {
		for (const id of found) table[id] = (table[id] ?? 0) | bit;
	};
	stand(standing.under, (spec.nameParents ?? []).flatMap(idsOf), STANDING.name);
	stand(standing.under, (spec.typeParents ?? []).flatMap(idsOf), STANDING.type);
	stand(standing.at, fieldIds(grammar, spec.nameFields), STANDING.name);
	stand(standing.at, fieldIds(grammar, spec.typeFields), STANDING.type);
	const lists = new Uint8Array(0x10000);
	stand(lists, (spec.targetLists ?? []).flatMap(idsOf), LIST.targets);
	stand(lists, (spec.valueLists ?? []).flatMap(idsOf), LIST.values);
	stand(lists, (spec.patterns ?? []).flatMap(idsOf), LIST.names);
	stand(lists, (spec.paths ?? []).flatMap(idsOf), LIST.path);
	stand(lists, (spec.labelParents ?? []).flatMap(idsOf), LIST.labels);
	stand(lists, (spec.defaultParents ?? []).flatMap(idsOf), LIST.defaults);
	stand(lists, (spec.stablePatterns ?? []).flatMap(idsOf), LIST.stable);
	stand(lists, (spec.initializers ?? []).flatMap(idsOf), LIST.initializers);
	for (const [type, field] of Object.entries(spec.nameUnder ?? {})) {
		stand(standing.under, idsOf(type), STANDING.byField);
		for (const id of idsOf(type)) nameUnder[id] = grammar.fields.indexOf(field);
	}
	const pickCompound = compoundPick(grammar);
	return {
		spec,
		grammar,
		roles,
		rules: byType(spec.definitions, (rule) => compileRule(rule, pick, idsOf)),
		spans: byType({ ...spec.calls, ...spec.constructs }, (fields) => fields.map(pick)),
		assignments: byType(spec.assignments, (rule) => ({
			...rule,
			pickLeft: pick(rule.left),
			pickRight: rule.right === undefined ? pickNothing : pick(rule.right),
			pickOperator: operatorPick(rule, pick),
			holds: rule.initializes
				? (tree: FlatTree, node: number) => !isInitializer(tree, lists, node)
				: rule.binder === undefined
					? undefined
					: compileBoundTest(rule.binder, grammar, idsOf, spec.memberMark),
			pickCompound: rule.right === undefined || rule.update || rule.declares ? undefined : pickCompound,
		})),
		awaited: byType(spec.awaited, pick),
		imports: Map.groupBy(
			Object.entries(spec.imports ?? {}).flatMap(([name, field]) => {
				const [type, word] = splitWord(name);
				return idsOf(type).map((id) => ({ id, word, pick: field === "" ? undefined : pick(field) }));
			}),
			(rule) => rule.id,
		),
		words,
		literals: byType(spec.literals, (type) => type),
		tokenTree: spec.tokenTrees === undefined ? -1 : (idsOf(spec.tokenTrees)[0] ?? -1),
		standing,
		nameUnder,
		lists,
		sectioned: spec.visibility?.sectioned && new Set(spec.visibility.sectioned.flatMap(idsOf)),
		pickBody: pickFirst(pick("body"), pickByRole(roles, ROLE.body)),
		pickParameters: pickFirst(pickByRole(roles, ROLE.parameters), pick("parameters")),
	};
}

function operatorPick(rule: AssignmentRule, pick: (selector: string) => Pick): Pick | undefined {
	if (rule.operatorName) return pick("operator");
	return rule.operators && pick(rule.operators.map((operator) => `@'${operator}'`).join("|"));
}

/** Finds the operator of a compound assignment; absent if the grammar knows none. */
function compoundPick(grammar: Grammar): Pick | undefined {
	const compound = new Uint32Array(0x10000);
	grammar.types.forEach((name, id) => {
		if (!grammar.named[id] && COMPOUND.test(name)) compound[id] = 1;
	});
	return compound.includes(1) ? pickByRole(compound, 1) : undefined;
}

function compileRule(
	rule: DefinitionRule,
	pick: (selector: string) => Pick,
	idsOf: (name: string) => readonly number[],
): CompiledRule {
	const {
		name = "name",
		requires,
		within,
		result,
		receiver,
		value,
		under,
		before,
		tail,
		visibleWith,
		restWithout,
		...rest
	} = rule;
	return {
		...rest,
		pickName: pick(name),
		descends: name === "declarator",
		pickRequired: requires === undefined ? undefined : pick(requires),
		pickWithin: within === undefined ? undefined : pick(within),
		pickResult: result === undefined ? undefined : pick(result),
		pickReceiver: receiver === undefined ? undefined : pick(receiver),
		pickVisible: visibleWith === undefined ? undefined : pick(visibleWith),
		pickOwnBody: restWithout === undefined ? undefined : pick(restWithout),
		value: value && { pick: pick(value.field), kinds: value },
		under: under && new Set(under.flatMap(idsOf)),
		before: before === undefined ? undefined : new Set(idsOf(before)),
		tail: tail === undefined ? undefined : new Set(tail.split("|").flatMap(idsOf)),
	};
}

/** `command:return` → the type and the word its text must begin with. */
export function splitWord(name: string): readonly [type: string, word: string] {
	const colon = name.startsWith("'") ? -1 : name.indexOf(":");
	return colon < 0 ? [name, ""] : [name.slice(0, colon), name.slice(colon + 1)];
}

/** The roles of a node whose first word decides. */
export function readRolesByWord(tree: FlatTree, compiled: CompiledSpec, node: number, role: number): number {
	let roles = role & ~ROLE.byWord;
	for (const { word, role: extra } of compiled.words.get(tree.type[node] ?? 0) ?? []) {
		const wanted = !word.startsWith("!");
		if (hasFirstWord(tree, node, wanted ? word : word.slice(1)) === wanted) roles |= extra;
	}
	return roles;
}

export function hasFirstWord(tree: FlatTree, node: number, word: string): boolean {
	const start = tree.start[node] ?? 0;
	if (!tree.text.startsWith(word, start)) return false;
	return !/\w$/.test(word) || !/\w/.test(tree.text[start + word.length] ?? "");
}

function fieldIds(grammar: Grammar, names: readonly string[] = []): number[] {
	return grammar.fields.flatMap((name, id) => (name !== null && names.includes(name) ? [id] : []));
}

export function listTypeIds(grammar: Grammar): Map<string, number[]> {
	const ids = new Map<string, number[]>();
	grammar.types.forEach((name, id) => {
		const key = grammar.named[id] ? name : `'${name}'`;
		const list = ids.get(key);
		if (list) list.push(id);
		else ids.set(key, [id]);
	});
	return ids;
}

/** What the node is by its type, as bits of `ROLE`. */
export function readRoles(tree: FlatTree, compiled: CompiledSpec, node: number): number {
	return compiled.roles[tree.type[node] ?? 0] ?? 0;
}

/** The name of the node's type in its grammar; of a token its text. */
export function readTypeName(tree: FlatTree, compiled: CompiledSpec, node: number): string {
	return compiled.grammar.types[tree.type[node] ?? 0] ?? "";
}
