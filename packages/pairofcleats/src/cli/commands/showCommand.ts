import { UsageError } from "libmcp/command";
import { makePathRelative } from "../../query/request.ts";
import { type FlagTable, readFlags, refuseFurtherWords } from "../flags.ts";
import { withRepository } from "../repositoryCommand.ts";
import { EXIT, paint, paintSourceLine, type Terminal } from "../terminal.ts";

export const flags: FlagTable = {
	"--repo": { name: "repoPath", takes: "value" },
	"--json": { name: "json", takes: "boolean" },
};
export const words = { startLine: "lines", endLine: "lines" } as const;

export async function command(argv: readonly string[], terminal: Terminal): Promise<number> {
	const { positional, values } = readFlags(argv, flags);
	const [target, ...further] = positional;
	if (target === undefined)
		throw new UsageError("path: expected one such as src/main.ts or src/main.ts:10-20, got nothing");
	refuseFurtherWords("show", further);
	return withRepository(values, async (repository) => {
		const file = await repository.show(makePathRelative(repository.root, target));
		if (values.json === true) terminal.out(JSON.stringify(file));
		else if (!terminal.watched && !terminal.colour) terminal.out(file.text);
		else {
			const width = String(file.endLine).length;
			for (const [index, line] of file.text.split("\n").entries()) {
				terminal.out(
					`${paint(terminal, "dim", String(file.startLine + index).padStart(width))}  ${paintSourceLine(line)}`,
				);
			}
		}
		return EXIT.done;
	});
}
