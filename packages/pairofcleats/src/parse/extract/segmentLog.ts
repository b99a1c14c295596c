import { isFunctionLike } from "../chunk.ts";
import type { LineIndex } from "../lineIndex.ts";
import { FactSink } from "./factSink.ts";
import type { Scope, Segment } from "./scope.ts";

/** Statements of a file or class outside definitions are cut into segments of about this many lines. */
const SEGMENT_LINES = 50;

/** The segments of a file in source order, and the current one. */
export class SegmentLog {
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
