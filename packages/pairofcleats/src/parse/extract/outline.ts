import { type ChunkKind, type Diagnostic, type InnerSymbol, isFunctionLike, type ProseChunk } from "../chunk.ts";
import type { LineIndex } from "../lineIndex.ts";
import { ERROR_TYPE, type FlatTree } from "../tree/flatTree.ts";
import { textOf } from "../tree/nodeText.ts";
import { assignedExports } from "./assignedExports.ts";
import { calledSymbols } from "./calledSymbols.ts";
import { Comments } from "./comments.ts";
import { type CompiledSpec, rolesByWord } from "./compileSpec.ts";
import { headLine, isTail, lastLine, lastNode } from "./definitionLines.ts";
import { addDecorator, describeDefinition } from "./describeDefinition.ts";
import { docstringNode } from "./docstringNode.ts";
import { localTypeOf } from "./localType.ts";
import { decoratorName } from "./names.ts";
import { parseError } from "./parseError.ts";
import { readFact } from "./readFact.ts";
import { exportedNames } from "./readImport.ts";
import { definedParts, type Found, hasOwnName, otherNames, recogniseDefinition } from "./recogniseDefinition.ts";
import { recogniseTest } from "./recogniseTest.ts";
import { ROLE } from "./roles.ts";
import { fileScope, isLocal, isOpen, isType, memberKind, type Scope, type Segment } from "./scope.ts";
import { changeSection, sectionOf } from "./sections.ts";
import { SegmentLog } from "./segmentLog.ts";
import { type Wrapping, wrapperOf, wrappingOf } from "./wrapping.ts";

export type Outline = {
	/** In source order, never overlapping. */
	readonly segments: readonly Segment[];
	readonly prose: readonly ProseChunk[];
	readonly errors: readonly Diagnostic[];
	readonly exports: readonly string[];
};

/** A small declaration of this many lines is worth a chunk. */
const LONG_SMALL = 4;
/** Inside a function longer than this, inner functions of some length are chunks of their own. */
const LONG_FUNCTION = 120;
const LONG_INNER = 5;
const MAX_ERRORS = 20;
const MAX_SYMBOLS = 20_000;

/** One pass over the tree: definitions become scopes, everything else becomes facts of the innermost scope. */
export function outline(tree: FlatTree, compiled: CompiledSpec, lines: LineIndex): Outline {
	return new Outliner(tree, compiled, lines).run();
}

class Outliner {
	readonly #tree: FlatTree;
	readonly #compiled: CompiledSpec;
	readonly #lines: LineIndex;
	readonly #comments: Comments;
	readonly #log: SegmentLog;
	readonly #errors: Diagnostic[] = [];
	readonly #exports = new Set<string>();
	readonly #stack: Scope[] = [];
	#scope: Scope;
	/** Last line that belongs to a chunk already begun. */
	#takenLine = 0;
	#wrapper = -1;
	#skipUntil = 0;
	/** Nodes below this index are inside a type. */
	#typesUntil = 0;

	constructor(tree: FlatTree, compiled: CompiledSpec, lines: LineIndex) {
		this.#tree = tree;
		this.#compiled = compiled;
		this.#lines = lines;
		this.#comments = new Comments(tree, lines);
		this.#scope = fileScope(tree, lines);
		this.#log = new SegmentLog(lines, this.#scope);
	}

	run(): Outline {
		const { type, start, parent, count } = this.#tree;
		const { roles } = this.#compiled;
		for (let node = 1; node < count; node += 1) {
			if (node < this.#skipUntil) continue;
			while (node >= this.#scope.until) this.#leave(node);
			if ((start[node] ?? 0) >= this.#log.rotateAt && parent[node] === this.#scope.body) this.#rotate(node);
			const nodeType = type[node] ?? 0;
			const role = roles[nodeType] ?? 0;
			if (role === 0) {
				if (nodeType === ERROR_TYPE) this.#error(node);
			} else this.#visit(node, role);
		}
		while (this.#stack.length > 0) this.#leave(count);
		this.#log.close(this.#lines.count, count);
		return {
			segments: this.#log.all.filter((segment) => segment.startLine <= segment.endLine),
			prose: this.#comments.prose(),
			errors: this.#errors,
			exports: [...this.#exports],
		};
	}

	#visit(node: number, plainRole: number): void {
		const role = plainRole & ROLE.byWord ? rolesByWord(this.#tree, this.#compiled, node, plainRole) : plainRole;
		if (role & ROLE.comment) {
			this.#comments.add(node);
			return;
		}
		if (role & ROLE.decorator) {
			this.#decorate(node);
			return;
		}
		if (role & ROLE.definition && !isTail(this.#tree, this.#scope.found, node)) {
			const local = this.#isLocal(node);
			const found = recogniseDefinition(this.#tree, this.#compiled, node, local);
			if (this.#define(node, found)) {
				if (role & ROLE.assignment)
					readFact(this.#tree, this.#compiled, node, ROLE.assignment, this.#log.current.sink, false, false);
				return;
			}
			if (!found && !local && node >= this.#scope.nestedUntil) this.#addParts(node);
		}
		if (role & ROLE.call && this.#compiled.spec.testCalls) {
			if (this.#define(node, recogniseTest(this.#tree, this.#compiled, node))) return;
		}
		if (role & ROLE.call && !isLocal(this.#scope))
			this.#addSymbols(calledSymbols(this.#tree, this.#compiled, this.#lines, node));
		if (role & ROLE.assignment && this.#compiled.spec.exportTargets) this.#addExports(node);
		if (role & ROLE.exportNames) for (const name of exportedNames(textOf(this.#tree, node))) this.#exports.add(name);
		if (role & ROLE.section) changeSection(this.#tree, this.#compiled, this.#scope, node);
		if (role & ROLE.lambda && node !== this.#scope.found?.callable) {
			this.#scope.nestedUntil = Math.max(this.#scope.nestedUntil, this.#tree.until[node] ?? 0);
		}
		if (role & ROLE.typesWithin) this.#typesUntil = Math.max(this.#typesUntil, this.#tree.until[node] ?? 0);
		// The head of a definition may look like a call of it: `def name(…)` in Elixir.
		const head = role & ROLE.call && this.#tree.start[node] === this.#tree.start[this.#scope.found?.nameNode ?? -1];
		readFact(
			this.#tree,
			this.#compiled,
			node,
			head ? role & ~ROLE.call : role,
			this.#log.current.sink,
			node < this.#scope.nestedUntil,
			node < this.#typesUntil,
		);
		// What some grammars put inside a name is that name once more.
		if (role & ROLE.identifier) this.#skipUntil = this.#tree.until[node] ?? 0;
	}

	/** Told as decorators of what follows, so their calls are not also calls of what came before. */
	#decorate(node: number): void {
		const text = textOf(this.#tree, node);
		const { docDecorators } = this.#compiled.spec;
		if (docDecorators?.test(text))
			this.#comments.lead(node, false, this.#comments.addDocstring(node, text.replace(docDecorators, "")));
		else {
			this.#comments.lead(node, true);
			this.#log.current.sink.add("members", decoratorName(text));
		}
		this.#skipUntil = this.#tree.until[node] ?? 0;
	}

	/** True when the definition became a scope, whose nodes are then visited under it. */
	#define(node: number, found: Found | undefined): boolean {
		if (!found) return false;
		const wrapping = this.#takeWrapping(found);
		const { tree, lines } = { tree: this.#tree, lines: this.#lines };
		const start = tree.start[wrapping.from] ?? 0;
		const nameLine = lines.lineAt(tree.start[found.nameNode] ?? start);
		const startLine = lines.lineAt(start);
		const last = lastNode(tree, this.#compiled, found, wrapping.to);
		const endLine = Math.max(startLine, lastLine(tree, lines, start, tree.end[last] ?? 0));
		const bodiless = last === wrapping.to && this.#bodyOf(found) < 0;
		if (!this.#deservesChunk(found, start, startLine, endLine, bodiless)) {
			this.#addSymbol(found, nameLine, wrapping);
			return false;
		}
		const lead = this.#comments.leadBefore(startLine, this.#takenLine);
		const decorators: string[] = [];
		for (const text of lead?.decorators ?? []) addDecorator(decorators, text);
		const header = describeDefinition(tree, this.#compiled, found, {
			wrapping,
			section: sectionOf(tree, this.#scope, wrapping.from),
			decorators,
		});
		const kind = this.#memberKind(found);
		const qualifiedName = [this.#scope.qualifiedName, found.owner, found.name].filter((part) => part !== "").join(".");
		this.#enter(
			{
				found: { ...found, kind },
				header,
				qualifiedName,
				startLine: Math.max(lead?.startLine ?? startLine, this.#takenLine + 1),
				endLine,
				until: tree.until[last] ?? node + 1,
				body: this.#bodyOf(found),
				container: found.container,
				docstring: this.#comments.docstring(lead, this.#innerDocstring(found)),
				segments: [],
				nestedUntil: 0,
				group: wrapping.group && wrapping.to !== node ? wrapping.to : -1,
				sections: new Map(),
			},
			node,
		);
		for (const name of otherNames(tree, this.#compiled, found)) this.#pushSymbol(found, name, nameLine);
		if (header.exported && this.#stack.every(isOpen) && hasOwnName(tree, this.#compiled, found))
			this.#exports.add(found.name);
		return true;
	}

	/** A wrapper is the range of the first definition inside it only. */
	#takeWrapping(found: Found): Wrapping {
		const wrapping = wrappingOf(this.#tree, this.#compiled, found);
		if (wrapping.from === found.node) return wrapping;
		if (wrapping.from === this.#wrapper) return { ...wrapping, from: found.node, to: found.node };
		this.#wrapper = wrapping.from;
		return wrapping;
	}

	/** Inside a function, and not one more name of the declaration that is the scope. */
	#isLocal(node: number): boolean {
		return isLocal(this.#scope) && this.#scopeAround(node) === this.#scope;
	}

	/** What a definition stands in: of one more name of the declaration that is the scope, what that stands in. */
	#scopeAround(node: number): Scope {
		const { group } = this.#scope;
		if (group < 0 || wrapperOf(this.#tree, this.#compiled, node) !== group) return this.#scope;
		return this.#stack.at(-1) ?? this.#scope;
	}

	#deservesChunk(found: Found, start: number, startLine: number, endLine: number, bodiless: boolean): boolean {
		// Chunks are whole lines: what shares its first line with other text stays part of that text's chunk.
		if (startLine <= this.#takenLine) return false;
		if (this.#tree.text.slice(this.#lines.startOf(startLine), start).trim() !== "") return false;
		const length = endLine - startLine + 1;
		if (found.rule?.small && found.callable === found.node && length < LONG_SMALL) return false;
		const signature = bodiless && found.callable === found.node && isFunctionLike(found.kind);
		if (signature && isType(this.#scope) && length < LONG_SMALL) return false;
		if (this.#scope.container) return true;
		return this.#scope.endLine - this.#scope.startLine > LONG_FUNCTION && length >= LONG_INNER;
	}

	#memberKind(found: Found): ChunkKind {
		const scope = this.#scope;
		const type = isType(scope) ? scope.found?.name : localTypeOf(this.#tree, this.#compiled, scope, found);
		return memberKind(found, type, this.#compiled.spec.visibility?.sections !== undefined);
	}

	#bodyOf(found: Found): number {
		return this.#compiled.pickBody(this.#tree, found.callable);
	}

	#innerDocstring(found: Found): string {
		const string = docstringNode(this.#tree, this.#compiled, this.#bodyOf(found));
		return string < 0 ? "" : this.#comments.addDocstring(string);
	}

	#addSymbol(found: Found, line: number, wrapping: Wrapping): void {
		if (found.rule?.inType && !isType(this.#scope)) return;
		// A local variable is nobody else's symbol.
		if (found.rule?.small && !found.rule.member && this.#isLocal(found.node) && !isFunctionLike(found.kind)) return;
		const names = [found.name, ...otherNames(this.#tree, this.#compiled, found)];
		for (const name of names) this.#pushSymbol(found, name, line);
		if (!isOpen(this.#scopeAround(found.node))) return;
		const header = describeDefinition(this.#tree, this.#compiled, found, {
			wrapping,
			section: undefined,
			decorators: [],
		});
		if (header.exported) for (const name of names) this.#exports.add(name);
	}

	#addParts(node: number): void {
		for (const part of definedParts(this.#tree, this.#compiled, node)) {
			const line = this.#lines.lineAt(this.#tree.start[part.nameNode] ?? 0);
			this.#addSymbol(part, line, wrappingOf(this.#tree, this.#compiled, part));
		}
	}

	#pushSymbol(found: Found, name: string, line: number): void {
		const { symbols } = this.#log.holderOf(line);
		const kind = found.rule?.member ? found.kind : this.#memberKind(found);
		if (symbols.length < MAX_SYMBOLS) symbols.push({ kind, name, line });
	}

	#addSymbols(found: readonly InnerSymbol[]): void {
		const { symbols } = this.#log.current;
		symbols.push(...found.slice(0, MAX_SYMBOLS - symbols.length));
	}

	/** `module.exports = { a, b }` shows others both, `exports.a = 1` declares it as well. */
	#addExports(node: number): void {
		const { names, declared } = assignedExports(this.#tree, this.#compiled, node);
		for (const name of names) this.#exports.add(name);
		if (declared) this.#addSymbols([{ kind: "variable", name: declared.name, line: this.#lines.lineAt(declared.at) }]);
	}

	#enter(scope: Scope, node: number): void {
		this.#log.close(scope.startLine - 1, node);
		this.#stack.push(this.#scope);
		this.#scope = scope;
		this.#takenLine = Math.max(
			this.#takenLine,
			scope.container ? headLine(this.#tree, this.#compiled, this.#lines, scope) : scope.startLine,
		);
		this.#log.open(scope, scope.startLine, node);
	}

	#leave(node: number): void {
		const left = this.#scope;
		this.#log.close(left.endLine, node);
		this.#takenLine = Math.max(this.#takenLine, left.endLine);
		const outer = this.#stack.pop();
		if (!outer) return;
		this.#scope = outer;
		this.#log.open(outer, left.endLine + 1, node);
	}

	#rotate(node: number): void {
		const line = this.#lines.lineAt(this.#tree.start[node] ?? 0);
		if (!this.#scope.container || line <= this.#log.current.startLine || line <= this.#takenLine) return;
		// Comments stay with what they lead to, so only a statement may open a segment.
		if ((this.#compiled.roles[this.#tree.type[node] ?? 0] ?? 0) & (ROLE.comment | ROLE.decorator)) return;
		const at = this.#comments.leadBefore(line, this.#takenLine)?.startLine ?? line;
		if (at <= this.#log.current.startLine) return;
		this.#log.close(at - 1, node);
		this.#log.open(this.#scope, at, node);
	}

	#error(node: number): void {
		if (this.#errors.length === MAX_ERRORS) return;
		this.#errors.push(parseError(this.#lines.lineAt(this.#tree.start[node] ?? 0), textOf(this.#tree, node)));
	}
}
