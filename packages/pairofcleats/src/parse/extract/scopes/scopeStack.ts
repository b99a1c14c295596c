import { isFunctionLike } from "../../chunk.ts";
import type { LineIndex } from "../../chunkLines.ts";
import type { FlatTree } from "../../tree/flatTree.ts";
import { findWrapper } from "../definitions/visibility.ts";
import { FactSink } from "../facts/factSink.ts";
import { type CompiledSpec, readRoles } from "../spec/compileSpec.ts";
import { ROLE } from "../spec/roles.ts";
import type { Comments } from "./comments.ts";
import { findHeadLine } from "./definitionLines.ts";
import { isLocal, isOpen, makeFileScope, type Scope, type Segment } from "./scope.ts";

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
		this.current = makeFileScope(tree, lines);
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
			scope.container ? findHeadLine(this.#tree, this.#compiled, this.#lines, scope) : scope.startLine,
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
		if (readRoles(this.#tree, this.#compiled, node) & (ROLE.comment | ROLE.decorator)) return;
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
		if (group < 0 || findWrapper(this.#tree, this.#compiled, node) !== group) return this.current;
		return this.#outer.at(-1) ?? this.current;
	}
}

/** Statements of a file or class outside definitions are cut into segments of about this many lines. */
const SEGMENT_LINES = 50;

/** The segments of a file in source order, and the current one. */
class SegmentLog {
	readonly #lines: LineIndex;
	readonly all: Segment[] = [];
	current: Segment;
	/** Offset from which the next statement of the scope opens a new segment. */
	rotateAt = 0;

	constructor(lines: LineIndex, file: Scope) {
		this.#lines = lines;
		this.current = this.open(file, 1, 0);
	}

	/** Opens a segment, with the facts of one before it that has no line left. */
	open(scope: Scope, startLine: number, node: number, before?: Segment): Segment {
		// All pieces of one function share its facts; a container's later pieces have their own.
		const first = scope.segments[0];
		const shared = first && scope.found && isFunctionLike(scope.found.kind) && !scope.container;
		const fromNode = before?.fromNode ?? node;
		this.current = {
			...{ scope, startLine, endLine: startLine - 1 },
			sink: shared ? first.sink : (before?.sink ?? new FactSink()),
			...{ symbols: [], fromNode, toNode: fromNode },
		};
		this.rotateAt = this.#lines.startOf(startLine + SEGMENT_LINES);
		return this.current;
	}

	close(endLine: number, toNode: number): void {
		const segment = this.current;
		segment.endLine = endLine;
		segment.toNode = toNode;
		if (segment.startLine > endLine && segment.scope.segments.length > 0) return;
		segment.scope.segments.push(segment);
		this.all.push(segment);
	}

	/** Whether a line is the last of several of the segment before the current one. */
	endsAt(line: number): boolean {
		const last = this.all.at(-1);
		return last !== undefined && last.endLine === line && last.startLine < line;
	}

	/** Takes from the segment before the current one the line at which the next begins: `} function two() {`. */
	endBefore(line: number): void {
		const last = this.all.at(-1);
		if (last && last.endLine >= line) last.endLine = line - 1;
	}

	/**
	 * Moves symbols to the segments that have their lines: the name in `struct A { … } first` is read before the members
	 * of `A`.
	 */
	settle(): void {
		for (const { symbols, endLine } of this.all) {
			const late = symbols.filter(({ line }) => line > endLine);
			if (late.length === 0) continue;
			symbols.splice(0, symbols.length, ...symbols.filter(({ line }) => line <= endLine));
			for (const symbol of late) this.#segmentAt(symbol.line).symbols.push(symbol);
		}
	}

	#segmentAt(line: number): Segment {
		let low = 0;
		let high = this.all.length - 1;
		while (low < high) {
			const middle = Math.ceil((low + high) / 2);
			if ((this.all[middle]?.startLine ?? line) <= line) low = middle;
			else high = middle - 1;
		}
		return this.all[low] ?? this.current;
	}

	/** The segment that has a line. The previous chunk's last line, and its symbols, belong to that chunk. */
	holderOf(line: number): Segment {
		return line < this.current.startLine ? (this.all.at(-1) ?? this.current) : this.current;
	}
}
