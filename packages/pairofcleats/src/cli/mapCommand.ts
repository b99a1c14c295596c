import { plainText } from "libmcp/command";
import { inRepository } from "../query/inRepository.ts";
import { EXIT } from "./exit.ts";
import { type FlagTable, noFurtherWords, readFlags } from "./flags.ts";
import { withRepository } from "./openFromFlags.ts";
import { paint, type Terminal } from "./terminal.ts";

export const flags: FlagTable = {
	"--repo": { name: "repoPath", takes: "value" },
	"--json": { name: "json", takes: "boolean" },
};

export async function command(argv: readonly string[], terminal: Terminal): Promise<number> {
	const { positional, values } = readFlags(argv, flags);
	const [path, ...further] = positional;
	noFurtherWords("map", further);
	return withRepository(values, async (repository) => {
		const entries = await repository.map(path === undefined ? path : inRepository(repository.root, path));
		if (values.json === true) {
			terminal.out(JSON.stringify(entries));
			return EXIT.done;
		}
		let shown = "";
		for (const entry of entries) {
			if (entry.path !== shown) terminal.out(paint(terminal, "cyan", plainText(entry.path)));
			shown = entry.path;
			const depth = entry.qualifiedName.split(".").length - 1;
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
