import { readFile } from "node:fs/promises";
import { UsageError } from "libmcp/command";
import { CleatsError } from "../../contract/errors.ts";
import { type FlagTable, quoteWord, readFlags, refuseFurtherWords } from "../flags.ts";
import { withRepository } from "../repositoryCommand.ts";
import { countNoun, EXIT, type Terminal } from "../terminal.ts";

export const flags: FlagTable = {
	"--repo": { name: "repoPath", takes: "value" },
	"--json": { name: "json", takes: "boolean" },
};
export const actions = ["import"] as const;

export async function command(argv: readonly string[], terminal: Terminal): Promise<number> {
	const { positional, values } = readFlags(argv, flags);
	const [action, file, ...further] = positional;
	if (action !== "import" || file === undefined)
		throw new UsageError(`lint: expected import <file>, got ${quoteWord(positional.join(" "))}`);
	refuseFurtherWords("lint import", further);
	const text = await readFile(file, "utf8").catch((cause: unknown) => {
		throw new CleatsError(
			"NOT_FOUND",
			`file: expected a file that can be read, got ${JSON.stringify(file)}`,
			{ field: "file" },
			{ cause },
		);
	});
	return withRepository(values, async (repository) => {
		const report = await repository.importLint(text);
		if (values.json === true) terminal.out(JSON.stringify(report));
		else
			terminal.out(
				`${countNoun(report.imported, "diagnostic")} of ${report.source} imported for ${countNoun(report.files, "file")}; ` +
					`${report.ignored} of no indexed file`,
			);
		return EXIT.done;
	});
}
