import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Offsets of a source that a test ran, by file below the package's `src`. */
export type Coverage = Readonly<Record<string, readonly (readonly [start: number, end: number])[]>>;

type Script = {
	readonly url: string;
	readonly functions: readonly { readonly ranges: readonly Range[] }[];
};
type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number };

/** What the processes of one test ran of a package's folder, from the files that V8 wrote at their ends. */
export function readCoverage(reports: string, packageFolder: string, folder: string): Coverage {
	const ran: Record<string, [number, number][]> = {};
	for (const report of readdirSync(reports)) {
		const { result }: { result: readonly Script[] } = JSON.parse(readFileSync(join(reports, report), "utf8"));
		for (const { url, functions } of result) {
			const file = fileOf(url, packageFolder);
			if (file?.startsWith(`${folder}/`)) ran[file] = [...(ran[file] ?? []), ...rangesRun(functions)];
		}
	}
	return ran;
}

export function isRun(coverage: Coverage, file: string, offset: number): boolean {
	return coverage[file]?.some(([start, end]) => start <= offset && offset < end) ?? false;
}

function fileOf(url: string, packageFolder: string): string | undefined {
	if (!url.startsWith("file:")) return undefined;
	const path = fileURLToPath(url);
	const match = path.startsWith(packageFolder)
		? /^(?:src|dist)\/(.*)\.[tj]s$/.exec(path.slice(packageFolder.length))
		: null;
	return match === null ? undefined : `${match[1]}.ts`;
}

/** The parts of each function that ran: its range less the inner ranges with other counts. */
function rangesRun(functions: Script["functions"]): [number, number][] {
	const marks = functions.flatMap(({ ranges }) => ranges);
	// Inner ranges come later and decide.
	marks.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
	const edges = [...new Set(marks.flatMap(({ startOffset, endOffset }) => [startOffset, endOffset]))].sort(
		(a, b) => a - b,
	);
	const run: [number, number][] = [];
	const open: Range[] = [];
	let next = 0;
	for (const [index, edge] of edges.entries()) {
		while (open.length > 0 && (open.at(-1)?.endOffset ?? 0) <= edge) open.pop();
		for (; (marks[next]?.startOffset ?? Number.POSITIVE_INFINITY) <= edge; next++) open.push(marks[next] as Range);
		while (open.length > 0 && (open.at(-1)?.endOffset ?? 0) <= edge) open.pop();
		const end = edges[index + 1];
		if (end === undefined || (open.at(-1)?.count ?? 0) === 0) continue;
		const last = run.at(-1);
		if (last?.[1] === edge) last[1] = end;
		else run.push([edge, end]);
	}
	return run;
}
