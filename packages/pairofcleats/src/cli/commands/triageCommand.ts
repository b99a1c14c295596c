import type { Command } from "../command.ts";
import { type Action, listToolFlags, listToolWords, makeToolCommand, writeToolHelp } from "../toolCommand.ts";

const ACTIONS: Readonly<Record<string, Action>> = {
	ingest: { tool: "triage_ingest", words: { source: "source", inputPath: "file" } },
	decide: { tool: "triage_decision", words: { finding: "finding", status: "status" } },
	context: { tool: "triage_context_pack", words: { recordId: "finding" } },
};

const OTHERS = ["list", "export", "import"] as const;
const tools = makeToolCommand("triage", ACTIONS, OTHERS);

export const actions: readonly string[] = [...Object.keys(ACTIONS), ...OTHERS];
export const flags = listToolFlags(ACTIONS);
export const words = listToolWords(ACTIONS);

export const command: Command = async (argv, terminal) => {
	const [word, ...rest] = argv;
	if (word === "list") return (await import("./triageRecords.ts")).listFindings(rest, terminal);
	if (word !== "export" && word !== "import") return tools(argv, terminal);
	const { transferRecords } = await import("./triageRecords.ts");
	return transferRecords(word, rest, terminal);
};

export const help = (): string[] => [
	...writeToolHelp("triage", ACTIONS),
	"",
	"  Trivy, Grype, Snyk and others that are no source write SARIF: ingest that as sarif.",
	"",
	"  triage list",
	"      Every finding with its severity and the decision that holds, the worst first.",
	"",
	"  triage export <file>",
	"      Writes every record of the repository as JSON Lines.",
	"",
	"  triage import <file>",
	"      Takes such a file in: newer findings replace older ones, decisions are only added. Bad lines are listed, and " +
		"the exit code is 1 if there are any.",
];
