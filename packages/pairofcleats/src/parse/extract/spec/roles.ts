import type { GrammarSpec } from "../../specs/spec.ts";

/** What a node type means, as bits: one type may be a definition and an assignment at once. */
export const ROLE = {
	comment: 1 << 0,
	definition: 1 << 1,
	identifier: 1 << 2,
	typeIdentifier: 1 << 3,
	call: 1 << 4,
	construct: 1 << 5,
	lambda: 1 << 6,
	assignment: 1 << 7,
	throws: 1 << 8,
	await: 1 << 9,
	return: 1 << 10,
	yield: 1 << 11,
	branch: 1 << 12,
	loop: 1 << 13,
	break: 1 << 14,
	continue: 1 << 15,
	import: 1 << 16,
	decorator: 1 << 17,
	delete: 1 << 18,
	section: 1 << 19,
	exportNames: 1 << 20,
	member: 1 << 21,
	index: 1 << 22,
	wrapper: 1 << 23,
	modifiers: 1 << 24,
	body: 1 << 25,
	parameters: 1 << 26,
	extends: 1 << 27,
	implements: 1 << 28,
	typesWithin: 1 << 29,
	docStatement: 1 << 30,
	/** The node's first word decides its other roles. */
	byWord: 1 << 31,
} as const;

/** The node types of a spec by role. */
export function* listRoleNames(spec: GrammarSpec): Generator<readonly [number, Iterable<string> | undefined]> {
	yield [ROLE.comment, spec.comments];
	yield [ROLE.definition, Object.keys(spec.definitions)];
	yield [ROLE.identifier, spec.identifiers];
	yield [ROLE.typeIdentifier, spec.typeIdentifiers];
	yield [ROLE.call, Object.keys(spec.calls ?? {})];
	yield [ROLE.construct, Object.keys(spec.constructs ?? {})];
	yield [ROLE.lambda, spec.lambdas];
	yield [ROLE.assignment, Object.keys(spec.assignments ?? {})];
	yield [ROLE.throws, spec.throws];
	yield [ROLE.await, spec.awaits];
	yield [ROLE.return, spec.returns];
	yield [ROLE.yield, spec.yields];
	yield [ROLE.branch, spec.branches];
	yield [ROLE.loop, spec.loops];
	yield [ROLE.break, spec.breaks];
	yield [ROLE.continue, spec.continues];
	yield [ROLE.import, Object.keys(spec.imports ?? {})];
	yield [ROLE.decorator, spec.decorators];
	yield [ROLE.delete, spec.deletes];
	yield [ROLE.section, spec.visibility?.sections];
	yield [ROLE.section, spec.visibility?.hiding];
	yield [ROLE.exportNames, spec.exportNames];
	yield [ROLE.member, spec.members];
	yield [ROLE.index, spec.indexes];
	yield [ROLE.wrapper, spec.wrappers];
	yield [ROLE.modifiers, spec.modifiers];
	yield [ROLE.body, spec.bodies];
	yield [ROLE.parameters, spec.parameters];
	yield [ROLE.extends, spec.extends];
	yield [ROLE.implements, spec.implements];
	yield [ROLE.typesWithin, spec.typesWithin];
	yield [ROLE.docStatement, spec.docstrings && [spec.docstrings.statement]];
}
