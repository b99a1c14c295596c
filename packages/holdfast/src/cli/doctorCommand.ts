import { homeFolder, pad, plainText, UsageError, widthOf } from "libmcp/command";
import type { Config } from "metatools";
import { findPlace } from "../clients/clientTable.ts";
import { findFolders } from "../config/installation.ts";
import type { TryServers } from "../doctor/clientFindings.ts";
import type { Finding } from "../doctor/finding.ts";
import { checkFolders, checkGateway, checkGit, checkNode, checkPort, reportNoHome } from "../doctor/machineFindings.ts";
import { ENTRY_NAME } from "./agents/agentOptions.ts";
import { readArguments, readConfigOption, readMilliseconds, readPort } from "./arguments.ts";
import { colour, say, type Tone, tell } from "./output.ts";
import { createProgressBar } from "./terminal.ts";

export const help = `Usage: holdfast doctor [--config FILE] [--port 8080] [--timeout 15s] [--json]

Checks Node, git, the port, folders and their permissions, what your agents'
files say of Holdfast, the configuration, and the handshake of every server
behind the gateway or a host, with the time it takes; also what running gateways
could not do. Each problem comes with a remedy. Exits 1 when something is
broken.

  --config FILE   the gateway's configuration; default: your own, if any
  --port N        the port that holdfast up is to take; 0 for any
  --timeout TIME  how long each server may take, such as 500ms, 30s or 5m;
                  a number without a unit counts seconds`;

const WIDEST_SUBJECT = 40;
/** What a shell reports for a program that SIGINT ended. */
const INTERRUPTED = 130;
const NOTHING_READ = { findings: [], config: undefined } as const;
const MARKS: Readonly<Record<Finding["verdict"], readonly [mark: string, tone: Tone]>> = {
	good: ["ok", "good"],
	skipped: ["--", "dim"],
	warn: ["!!", "warn"],
	bad: ["NO", "bad"],
};

export async function run(args: readonly string[]): Promise<number> {
	const { values } = readArguments(args, {
		config: { type: "string" },
		port: { type: "string", default: "8080" },
		timeout: { type: "string", default: "15s" },
		json: { type: "boolean" },
	});
	const [{ readConfiguration, reportNoServers }, { checkClients }, { collectStatuses }] = await Promise.all([
		import("../doctor/serverFindings.ts"),
		import("../doctor/clientFindings.ts"),
		import("./hosts/statusCommand.ts"),
	]);
	const { configFile: named } = readConfigOption(values);
	const isHomeless = homeFolder() === undefined;
	const { findings: configFindings, config } = isHomeless ? NOTHING_READ : readConfiguration(named);
	const timeoutMs = readMilliseconds("--timeout", values.timeout);
	if (timeoutMs === 0) throw new UsageError(`--timeout: expected a time above zero, got ${values.timeout}`);
	const tryThese: TryServers = (servers) => tryServers({ ...reportNoServers(), servers }, timeoutMs);
	const findings = [
		checkNode(),
		checkGit(),
		await checkPort("127.0.0.1", readPort("--port", values.port)),
		...(isHomeless
			? [reportNoHome()]
			: [
					...checkFolders(findFolders(), config?.files[0] ?? named),
					...(await checkClients(findPlace(), ENTRY_NAME, tryThese)),
				]),
		...checkGateway(await collectStatuses()),
		...configFindings,
		...(config === undefined ? [] : await tryServers(config, timeoutMs)),
	];
	if (values.json === true) say(JSON.stringify(findings));
	else tell(`${render(findings)}\n\n${verdict(findings)}`);
	return findings.some((finding) => finding.verdict === "bad") ? 1 : 0;
}

/** Shows progress on a terminal, because a server that does not answer takes the whole timeout. */
async function tryServers(config: Config, timeoutMs: number): Promise<Finding[]> {
	const { checkServers } = await import("../doctor/serverFindings.ts");
	const bar = createProgressBar("trying");
	const interrupted = (): void => {
		bar.clear();
		process.exit(INTERRUPTED);
	};
	process.once("SIGINT", interrupted);
	try {
		return await checkServers(config, timeoutMs, (tried, all, now) =>
			bar.update(tried, all, plainText(now.join(", "))),
		);
	} finally {
		process.off("SIGINT", interrupted);
		bar.clear();
	}
}

function verdict(findings: readonly Finding[]): string {
	const count = (kind: Finding["verdict"]): number => findings.filter((one) => one.verdict === kind).length;
	const [broken, doubtful] = [count("bad"), count("warn")];
	const untried = count("skipped") > 0 ? ` Not tried: ${count("skipped")}.` : "";
	if (broken === 0 && doubtful === 0) return colour("good", `Nothing stands in the way.${untried}`);
	const parts = [...(broken > 0 ? [`${broken} broken`] : []), ...(doubtful > 0 ? [`${doubtful} to look at`] : [])];
	return colour(broken > 0 ? "bad" : "warn", `${parts.join(", ")}.${untried}`);
}

function render(findings: readonly Finding[]): string {
	// A very long name moves only its own line.
	const width = Math.max(
		...findings.map(({ subject }) => widthOf(plainText(subject))).filter((wide) => wide <= WIDEST_SUBJECT),
	);
	return findings
		.map((finding) => {
			const [mark, tone] = MARKS[finding.verdict];
			const line = `${colour(tone, mark)}  ${pad(plainText(finding.subject), width)}  ${plainText(finding.says)}`;
			return "remedy" in finding
				? `${line}\n${" ".repeat(width + 6)}${colour("dim", plainText(finding.remedy))}`
				: line;
		})
		.join("\n");
}
