import type { LineIndex } from "../lineIndex.ts";
import type { FlatTree } from "../tree/flatTree.ts";
import type { Comments } from "./comments.ts";
import type { CompiledSpec } from "./compileSpec.ts";
import { headLine } from "./definitionLines.ts";
import { rolesOf } from "./nodeType.ts";
import { ROLE } from "./roles.ts";
import { fileScope, isLocal, isOpen, type Scope, type Segment } from "./scope.ts";
import { SegmentLog } from "./segmentLog.ts";
import { wrapperOf } from "./wrapping.ts";

/** The scopes around the current node, from the file to the innermost, and the segments they are cut into. */
export class ScopeStack {
	readonly #tree: FlatTree;
	readonly #compiled: CompiledSpec;
	readonly #lines: LineIndex;
	readonly #comments: Comments;
	readonly #outer: Scope[] = [];
	readonly log: SegmentLog;
	current: Scope;
	/** Last line of the chunks already begun. */
	takenLine = 0;
	/** The namespace that a statement of its own gives the rest of the file: `namespace App;`. */
	namespace = "";

	constructor(tree: FlatTree, compiled: CompiledSpec, lines: LineIndex, comments: Comments) {
		this.#tree = tree;
		this.#compiled = compiled;
		this.#lines = lines;
		this.#comments = comments;
		this.current = fileScope(tree, lines);
		this.log = new SegmentLog(lines, this.current);
	}

	/** Enters a definition. If its first line is shared, other code stands on that line before it. */
	enter(scope: Scope, node: number, shared: boolean): void {
		const before = this.log.current;
		const givesAll = shared && before.startLine >= scope.startLine;
		if (givesAll && this.current.segments.length === 0) this.#keepName(before, this.current);
		this.log.endBefore(scope.startLine);
		this.log.close(scope.startLine - 1, node);
		this.#outer.push(this.current);
		this.current = scope;
		this.takenLine = Math.max(
			this.takenLine,
			scope.container ? headLine(this.#tree, this.#compiled, this.#lines, scope) : scope.startLine,
		);
		this.log.open(scope, scope.startLine, node, givesAll && before.scope.container ? before : undefined);
	}

	/** A module whose only line is given to its first member is a symbol there: `namespace a { class B {`. */
	#keepName({ symbols }: Segment, { found }: Scope): void {
		if (!found) return;
		symbols.push({
			kind: found.kind,
			name: found.name,
			line: this.#lines.lineAt(this.#tree.start[found.nameNode] ?? 0),
		});
	}

	/** Leaves the scopes that end before a node. */
	leaveBefore(node: number): void {
		while (node >= this.current.until) this.#leave(node);
	}

	/** Leaves all scopes, the file being the last. */
	end(): void {
		const { count } = this.#tree;
		while (this.#outer.length > 0) this.#leave(count);
		this.log.close(this.#lines.count, count);
		this.log.settle();
	}

	#leave(node: number): void {
		const left = this.current;
		this.log.close(left.endLine, node);
		this.takenLine = Math.max(this.takenLine, left.endLine);
		const outer = this.#outer.pop();
		if (!outer) return;
		this.current = outer;
		this.log.open(outer, left.endLine + 1, node);
	}

	/** Opens a new segment at a statement of the scope, if the current segment is long enough. */
	rotate(node: number): void {
		const line = this.#lines.lineAt(this.#tree.start[node] ?? 0);
		if (!this.current.container || line <= this.log.current.startLine || line <= this.takenLine) return;
		// Comments stay with the statement after them, so only a statement may open a segment.
		if (rolesOf(this.#tree, this.#compiled, node) & (ROLE.comment | ROLE.decorator)) return;
		const at = this.#comments.leadBefore(line, this.#lines.startOf(line), this.takenLine)?.startLine ?? line;
		if (at <= this.log.current.startLine) return;
		this.log.close(at - 1, node);
		this.log.open(this.current, at, node);
	}

	/** Whether a node is inside a function, and is not a further name of the scope's own declaration. */
	isLocal(node: number): boolean {
		return isLocal(this.current) && this.around(node) === this.current;
	}

	/** Whether the innermost scope's name is a top-level name of the file. */
	isOpen(): boolean {
		return this.#outer.every(isOpen);
	}

	/** The qualified names of the namespaces up to a scope that no `export` is before; not of `declare module "name"`. */
	unexported(innermost: Scope): string[] {
		const { text, start } = this.#tree;
		const scopes = [...this.#outer, this.current];
		return scopes
			.slice(0, scopes.indexOf(innermost) + 1)
			.filter(({ found, header }) => found?.kind === "module" && header?.exported === false)
			.filter(({ found }) => !/["']/.test(text[start[found?.nameNode ?? 0] ?? 0] ?? ""))
			.map(({ qualifiedName }) => qualifiedName);
	}

	/** The names that own what a scope declares, joined with dots. */
	ownerIn({ found, qualifiedName }: Scope): string {
		return found === undefined ? this.namespace : qualifiedName;
	}

	/** The scope around a definition. A further name of the scope's own declaration is outside that scope. */
	around(node: number): Scope {
		const { group } = this.current;
		if (group < 0 || wrapperOf(this.#tree, this.#compiled, node) !== group) return this.current;
		return this.#outer.at(-1) ?? this.current;
	}
}
