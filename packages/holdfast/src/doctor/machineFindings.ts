import { spawnSync } from "node:child_process";
import { accessSync, constants, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, failureText, makeFolder, replaceFile } from "libmcp/command";
import { type Folders, findConfigFile } from "../config/installation.ts";
import { findListenProblem } from "../up/listening.ts";
import { type Finding, failFinding, passFinding, warnFinding } from "./finding.ts";

const OLDEST_NODE = [22, 18] as const;
const GIT_TIMEOUT_MS = 10_000;

export function checkNode(version: string = process.versions.node): Finding {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	const enough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
	return enough
		? passFinding("node", version)
		: failFinding("node", version, `install Node ${OLDEST_NODE.join(".")} or newer`);
}

export function checkGit(): Finding {
	// Not in the working folder, which may be a repository with a program of that name.
	const elsewhere = { cwd: dirname(process.execPath), timeout: GIT_TIMEOUT_MS };
	const { status, stdout } = spawnSync("git", ["--version"], { encoding: "utf8", ...elsewhere });
	if (status === 0) return passFinding("git", stdout.trim().replace(/^git version /, ""));
	return warnFinding(
		"git",
		"not found",
		"install git: without it files are found by walking, and author and churn filters have no data",
	);
}

export async function checkPort(host: string, port: number): Promise<Finding> {
	const problem = await findListenProblem(host, port);
	if (problem === undefined) return passFinding("port", port === 0 ? "any free one" : `${host}:${port} is free`);
	if (await isOurs(host, port)) return passFinding("port", `${host}:${port} is that of a holdfast up which runs`);
	return warnFinding(
		"port",
		`${host}:${port} cannot be used (${errorCode(problem) ?? problem.message})`,
		"stop what uses it, or start with: holdfast up --port 0",
	);
}

async function isOurs(host: string, port: number): Promise<boolean> {
	try {
		const page = await fetch(`http://${host}:${port}/`, { signal: AbortSignal.timeout(2_000), redirect: "error" });
		return /<title>[^<]*Holdfast/.test(await page.text());
	} catch {
		return false;
	}
}

export function reportNoHome(): Finding {
	return failFinding(
		"home folder",
		"neither HOME nor the system names one",
		"set HOME to a folder that you may write to",
	);
}

/** Folders we must be able to write, and a configuration file that others must not read: the one named, or the user's own. */
export function checkFolders(folders: Folders, named?: string): Finding[] {
	const findings = Object.entries(folders).map(([name, path]) => {
		const probe = join(path, `.doctor-${process.pid}`);
		try {
			makeFolder(path, 0o700);
			accessSync(path, constants.R_OK);
			// Actually writes: permission bits do not show a full disk, a quota or a read-only mount.
			replaceFile(probe, "writable\n", 0o600);
			rmSync(probe);
			return passFinding(`${name} folder`, path);
		} catch (error) {
			return failFinding(
				`${name} folder`,
				failureText(error).replace(probe, path),
				`make ${path} a folder that you can write to, with room on its disk`,
			);
		}
	});
	const file = named ?? findConfigFile(folders);
	const mode = modeOf(file);
	if (mode !== undefined && process.platform !== "win32" && (mode & 0o077) !== 0) {
		findings.push(warnFinding("config file", `${file} can be read by others`, `chmod 600 ${file}`));
	}
	return findings;
}

/** `undefined` also where the folder may not be looked into, which its own finding tells. */
function modeOf(file: string): number | undefined {
	try {
		return statSync(file).mode;
	} catch {
		return undefined;
	}
}

/** The part of a running gateway's status that tells of trouble. */
type GatewayTrouble = {
	readonly pid: number;
	readonly problem?: string;
	readonly configProblem?: string;
};

/** What running gateways could not do; each of their servers tells the same. */
export function checkGateway(statuses: readonly GatewayTrouble[]): Finding[] {
	const gateways = new Map(statuses.map((status) => [status.pid, status]));
	return [...gateways.values()].flatMap(({ pid, problem, configProblem }) => [
		...(problem === undefined
			? []
			: [failFinding(`gateway ${pid}`, problem, "mend what it names; it is tried every minute")]),
		...(configProblem === undefined
			? []
			: [failFinding(`gateway ${pid}`, configProblem, "correct the file; it is read again when it changes")]),
	]);
}
