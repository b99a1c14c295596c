import type { Diagnostic, ProseChunk } from "../chunk.ts";
import type { LineIndex } from "../chunkLines.ts";
import type { Visibility } from "../specs/rules.ts";
import { ERROR_TYPE, type FlatTree } from "../tree/flatTree.ts";
import { readNodeText, shortenText } from "../tree/nodeText.ts";
import { addDecorator, describeDefinition } from "./definitions/describeDefinition.ts";
import { recogniseCalled, recogniseTest } from "./definitions/recogniseCalls.ts";
import { hasOwnName, recogniseDefinition } from "./definitions/recogniseDefinition.ts";
import { type Found, findWrapping, type Wrapping } from "./definitions/visibility.ts";
import { listDecoratorNames } from "./facts/names.ts";
import { readAssignment } from "./facts/readAssignment.ts";
import { readFact, readTypesBefore } from "./facts/readFact.ts";
import { Comments } from "./scopes/comments.ts";
import {
	addAncestors,
	addMixins,
	findLastLine,
	findLastNode,
	findMemberKind,
	isTail,
} from "./scopes/definitionLines.ts";
import { FileSymbols } from "./scopes/fileSymbols.ts";
import { deservesChunk, findDocstring, findOpening } from "./scopes/opening.ts";
import { changeSection, isLocal, isType, readSection, type Segment } from "./scopes/scope.ts";
import { ScopeStack } from "./scopes/scopeStack.ts";
import { type CompiledSpec, readRolesByWord } from "./spec/compileSpec.ts";
import { ROLE } from "./spec/roles.ts";

type Outline = {
	/** In source order, never overlapping. */
	readonly segments: readonly Segment[];
	readonly prose: readonly ProseChunk[];
	readonly errors: readonly Diagnostic[];
	/** The names that importers see. */
	readonly exports: readonly string[];
	readonly later: SaidLater;
};

const NAMES = ROLE.identifier | ROLE.typeIdentifier;

/** What a file says of declarations elsewhere than where they are declared, by their qualified names. */
export type SaidLater = {
	/** `export { name as other }`, `module.exports = { name }`. */
	readonly exported: ReadonlySet<string>;
	/** `private :name`. */
	readonly visibility: ReadonlyMap<string, Visibility>;
};

/** One pass over the tree: definitions become scopes, everything else becomes facts of the innermost scope. */
export function outline(tree: FlatTree, compiled: CompiledSpec, lines: LineIndex): Outline {
	return new Outliner(tree, compiled, lines).run();
}

class Outliner {
	readonly #tree: FlatTree;
	readonly #compiled: CompiledSpec;
	readonly #lines: LineIndex;
	readonly #comments: Comments;
	readonly #scopes: ScopeStack;
	readonly #symbols: FileSymbols;
	readonly #errors: Diagnostic[] = [];
	#wrapper = -1;
	#skipUntil = 0;
	/** The last definition that is no chunk. */
	#inner: Found | undefined;
	/** Nodes below this index are inside a type. */
	#typesUntil = 0;

	constructor(tree: FlatTree, compiled: CompiledSpec, lines: LineIndex) {
		this.#tree = tree;
		this.#compiled = compiled;
		this.#lines = lines;
		this.#comments = new Comments(tree, lines);
		this.#scopes = new ScopeStack(tree, compiled, lines, this.#comments);
		this.#symbols = new FileSymbols(tree, compiled, lines, this.#scopes);
	}

	run(): Outline {
		const { type, start, parent, count } = this.#tree;
		const { roles } = this.#compiled;
		const scopes = this.#scopes;
		const { log } = scopes;
		for (let node = 1; node < count; node += 1) {
			if (node < this.#skipUntil) continue;
			scopes.leaveBefore(node);
			if ((start[node] ?? 0) >= log.rotateAt && parent[node] === scopes.current.body) scopes.rotate(node);
			const nodeType = type[node] ?? 0;
			const role = roles[nodeType] ?? 0;
			if (role === 0) {
				if (nodeType === ERROR_TYPE) this.#error(node);
			} else this.#visit(node, role);
		}
		scopes.end();
		return {
			segments: log.all.filter((segment) => segment.startLine <= segment.endLine),
			prose: this.#comments.prose(),
			errors: [...this.#errors, ...listMissingTokens(this.#tree, this.#compiled, this.#lines)],
			exports: this.#symbols.exports(),
			later: { exported: this.#symbols.exportedLater, visibility: this.#symbols.visibleLater },
		};
	}

	#visit(node: number, plainRole: number): void {
		const role = plainRole & ROLE.byWord ? readRolesByWord(this.#tree, this.#compiled, node, plainRole) : plainRole;
		if (role & ROLE.comment) {
			this.#comments.add(node);
			return;
		}
		if (role & ROLE.decorator) {
			this.#decorate(node);
			return;
		}
		const { spec } = this.#compiled;
		const start = this.#tree.start[node] ?? 0;
		let isDefined = false;
		if (role & ROLE.definition && !isTail(this.#tree, this.#scopes.current.found, node)) {
			const local = this.#scopes.isLocal(node);
			const found = recogniseDefinition(this.#tree, this.#compiled, node, local);
			if (found?.rule?.pickOwnBody && found.rule.pickOwnBody(this.#tree, node) < 0)
				this.#scopes.namespace = joined(found.owner, moduleName(found));
			else if (this.#define(node, found)) {
				if (role & ROLE.assignment) readAssignment(this.#tree, this.#compiled, node, this.#scopes.log.current.sink);
				return;
			}
			isDefined = found !== undefined;
			if (found) this.#inner = found;
			if (!found && !local && node >= this.#scopes.current.nestedUntil) this.#symbols.addParts(node);
		}
		if (role & ROLE.call && spec.testCalls) {
			if (this.#define(node, recogniseTest(this.#tree, this.#compiled, node))) return;
		}
		if (role & ROLE.call && spec.definingCalls) {
			if (this.#define(node, recogniseCalled(this.#tree, this.#compiled, node))) return;
		}
		const scope = this.#scopes.current;
		if (role & ROLE.call && !isLocal(scope)) this.#symbols.addCalled(node);
		if (role & ROLE.assignment && spec.exportTargets) this.#symbols.addAssigned(node);
		if (role & ROLE.assignment && spec.assignedFields && scope.found?.kind === "constructor")
			if (!isDefined && node >= scope.nestedUntil) this.#symbols.addFields(node);
		if (role & ROLE.exportNames) this.#symbols.addExported(node);
		if (role & ROLE.extends && spec.ancestorsAfter) addAncestors(this.#tree, spec.ancestorsAfter, scope, node);
		if (role & ROLE.extends && spec.mixins) addMixins(this.#tree, this.#compiled, scope, node);
		if (role & ROLE.section) changeSection(this.#tree, this.#compiled, scope, node);
		const until = this.#tree.until[node] ?? 0;
		if (role & ROLE.lambda && node !== scope.found?.callable) scope.nestedUntil = Math.max(scope.nestedUntil, until);
		if (role & ROLE.typesWithin) this.#typesUntil = Math.max(this.#typesUntil, until);
		// A definition's head may look like a call: `def name(…)` in Elixir.
		const inner = this.#inner;
		const isHead =
			start === this.#tree.start[scope.found?.nameNode ?? -1] || start === this.#tree.start[inner?.nameNode ?? -1];
		const isName = isHead && (isOwnName(node, scope.found) || isOwnName(node, inner));
		// Nor is `def` itself called, which defines.
		const isWord = isDefined && inner?.rule?.words !== undefined;
		readFact(
			this.#tree,
			this.#compiled,
			node,
			isName ? role & ~(ROLE.call | NAMES) : isHead || isWord ? role & ~ROLE.call : role,
			this.#scopes.log.current.sink,
			node < scope.nestedUntil,
			node < this.#typesUntil,
		);
		// Some grammars repeat a name in nodes inside it.
		if (role & ROLE.identifier) this.#skipUntil = until;
	}

	/** A decorator belongs to the next definition, so its calls are not facts of the chunk before. */
	#decorate(node: number): void {
		const text = readNodeText(this.#tree, node);
		const { docDecorators } = this.#compiled.spec;
		if (docDecorators?.test(text))
			this.#comments.lead(node, "comments", this.#comments.addDocstring(node, text.replace(docDecorators, "")));
		else {
			this.#comments.lead(node, "decorators");
			for (const name of listDecoratorNames(text)) this.#scopes.log.current.sink.add("decorators", name);
		}
		this.#skipUntil = this.#tree.until[node] ?? 0;
	}

	/** Returns true if the definition became a scope, to which its nodes then belong. */
	#define(node: number, found: Found | undefined): boolean {
		if (!found || (found.rule?.inType && !isType(this.#scopes.current))) return false;
		if (isNamedAlready(this.#scopes.current.found, found)) return false;
		const wrapping = this.#takeWrapping(found);
		const tree = this.#tree;
		const lines = this.#lines;
		const { current: scope, takenLine } = this.#scopes;
		const start = tree.start[wrapping.from] ?? 0;
		const nameLine = lines.lineAt(tree.start[found.nameNode] ?? start);
		const startLine = lines.lineAt(start);
		const last = findLastNode(tree, this.#compiled, found, wrapping.to);
		const endLine = Math.max(startLine, findLastLine(tree, lines, start, tree.end[last] ?? 0));
		const body = this.#compiled.pickBody(tree, found.callable);
		const bodiless = last === wrapping.to && body < 0 && this.#compiled.spec.lastIsResult === undefined;
		const range = { startLine, endLine };
		const lead = this.#comments.leadBefore(startLine, start, takenLine);
		const opening = deservesChunk(found, scope, range, bodiless)
			? findOpening(tree, lines, this.#scopes, wrapping.from, range, lead)
			: undefined;
		if (!opening) {
			this.#symbols.add(found, nameLine, wrapping, !bodiless);
			return false;
		}
		const decorators: string[] = [];
		for (const text of lead?.decorators ?? []) addDecorator(decorators, text);
		const { namespace } = this.#scopes;
		const qualifiedName = joined(this.#scopes.ownerIn(scope), found.owner, moduleName(found));
		const outside = found.owner !== "" && this.#compiled.spec.visibility?.declared;
		const section = outside
			? this.#symbols.declared.get(qualifiedName)
			: readSection(tree, this.#compiled, scope, found.node);
		const header = describeDefinition(tree, this.#compiled, found, { wrapping, section, decorators });
		const kind = findMemberKind(tree, this.#compiled, scope, found);
		this.#scopes.enter(
			{
				found: { ...found, kind },
				header,
				qualifiedName,
				namespace,
				startLine: opening.line,
				endLine,
				until: tree.until[last] ?? node + 1,
				body,
				container: found.container,
				docstring: this.#comments.docstring(lead, this.#innerDocstring(body)),
				segments: [],
				nestedUntil: 0,
				group: wrapping.group && wrapping.to !== node ? wrapping.to : -1,
				sections: new Map(),
			},
			node,
			opening.shared,
		);
		this.#symbols.addOthers(found, nameLine);
		readTypesBefore(tree, this.#compiled, wrapping.from, node, this.#scopes.log.current.sink);
		if (header.exported && this.#scopes.isOpen() && hasOwnName(tree, this.#compiled, found))
			this.#symbols.export(found.name, scope);
		return true;
	}

	/** A wrapper belongs only to the first definition inside it. */
	#takeWrapping(found: Found): Wrapping {
		const wrapping = findWrapping(this.#tree, this.#compiled, found);
		if (wrapping.from === found.node) return wrapping;
		if (wrapping.from === this.#wrapper) return { ...wrapping, from: found.node, to: found.node };
		this.#wrapper = wrapping.from;
		return wrapping;
	}

	#innerDocstring(body: number): string {
		const string = findDocstring(this.#tree, this.#compiled, body);
		return string < 0 ? "" : this.#comments.addDocstring(string);
	}

	#error(node: number): void {
		if (this.#errors.length === MOST_ERRORS) return;
		this.#errors.push(makeParseError(this.#lines.lineAt(this.#tree.start[node] ?? 0), readNodeText(this.#tree, node)));
	}
}

/** Whether a function has the name of the definition whose value it is: `const a = function a() {}`. */
function isNamedAlready(around: Found | undefined, { node, name }: Found): boolean {
	return around?.callable === node && around.node !== node && around.name === name;
}

/** Whether a name is the one that `defmodule` gives in Elixir, not the protocol that a `defimpl` is about. */
function isOwnName(node: number, found: Found | undefined): boolean {
	return (
		node === found?.nameNode && found.rule?.words !== undefined && found.kind !== "impl" && found.kind !== "method"
	);
}

/** PHP's `namespace App\Mail`, whose members are asked for by any separator. */
function moduleName({ kind, name }: Found): string {
	return kind === "module" ? name.replaceAll("\\", ".") : name;
}

function joined(...names: readonly string[]): string {
	return names.filter((name) => name !== "").join(".");
}

/** Assumed by grammars beside a macro or directive, where the text is right. */
const BY_MACROS = /^(?:,|::)$/;

/** A diagnostic for each token that the grammar had to assume, with the line of what it belongs to. */
function listMissingTokens(
	{ type, start, parent, missing }: FlatTree,
	{ grammar, spec }: CompiledSpec,
	lines: LineIndex,
): Diagnostic[] {
	const tokenAt = (node: number): string => grammar.types[type[node] ?? 0] ?? "";
	const lacking = spec.conditions ? missing.filter((node) => !BY_MACROS.test(tokenAt(node))) : missing;
	return lacking.slice(0, MOST_ERRORS).map((node) => {
		const line = lines.lineAt(start[node] ?? 0);
		const from = lines.lineAt(start[parent[node] ?? 0] ?? 0);
		return makeParseError(line, `\`${tokenAt(node)}\` is missing${from === line ? "" : `, for line ${from}`}`);
	});
}

/** A file may report this many of each kind. */
const MOST_ERRORS = 20;

/** A diagnostic for text that the grammar could not parse. */
export function makeParseError(line: number, text: string): Diagnostic {
	return { line, rule: "parse-error", message: `unknown to the parser, or a mistake: ${shortenText(text, 60)}` };
}
