import { plainText } from "libmcp/command";
import { makePathRelative } from "../../query/request.ts";
import type { MapEntry } from "../../repo/repository.ts";
import { type FlagTable, readFlags, refuseFurtherWords } from "../flags.ts";
import { withRepository } from "../repositoryCommand.ts";
import { EXIT, paint, type Terminal } from "../terminal.ts";

export const flags: FlagTable = {
	"--repo": { name: "repoPath", takes: "value" },
	"--json": { name: "json", takes: "boolean" },
};

export async function command(argv: readonly string[], terminal: Terminal): Promise<number> {
	const { positional, values } = readFlags(argv, flags);
	const [path, ...further] = positional;
	refuseFurtherWords("map", further);
	return withRepository(values, async (repository) => {
		const entries = await repository.map(path === undefined ? path : makePathRelative(repository.root, path));
		if (values.json === true) {
			terminal.out(JSON.stringify(entries));
			return EXIT.done;
		}
		let shown = "";
		const depths = depthsOf(entries);
		for (const [index, entry] of entries.entries()) {
			if (entry.path !== shown) terminal.out(paint(terminal, "cyan", plainText(entry.path)));
			shown = entry.path;
			const depth = depths[index] ?? 0;
			const lines = `${entry.startLine}-${entry.endLine}`.padStart(11);
			terminal.out(
				`${lines}  ${"  ".repeat(Math.min(depth, 6))}${entry.kind} ${paint(terminal, "bold", plainText(entry.name))}`,
			);
		}
		if (entries.length > 0) return EXIT.done;
		terminal.error(`no declarations are known in ${path === undefined ? "the repository" : plainText(path)}`);
		return EXIT.nothingFound;
	});
}

/** How deep each declaration is nested. Names such as the heading `1.0.0` have dots of their own. */
function depthsOf(entries: readonly MapEntry[]): number[] {
	let open: { readonly path: string; readonly prefix: string; readonly depth: number }[] = [];
	const least = new Map<string, number>();
	const depths = entries.map(({ path, kind, name, qualifiedName }) => {
		open = open.filter((one) => one.path === path && qualifiedName.startsWith(one.prefix));
		const above = open.at(-1);
		// An owner that is declared elsewhere counts as well: `Store.open` of C++ outside its class.
		const owners = qualifiedName.slice(above?.prefix.length ?? 0, -name.length).split(".").length - 1;
		const depth = (above === undefined ? 0 : above.depth + 1) + owners;
		open.push({ path, prefix: `${qualifiedName}.`, depth });
		if (kind !== "method" && kind !== "constructor") least.set(path, Math.min(depth, least.get(path) ?? depth));
		return depth;
	});
	// A namespace around all types and functions of a file is no level of it.
	return entries.map(({ path }, index) => Math.max(0, (depths[index] ?? 0) - (least.get(path) ?? 0)));
}
