import { spawnSync } from "node:child_process";
import { accessSync, constants, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode, failureText, makeFolder, replaceFile } from "libmcp/command";
import { configFile, type Folders } from "../config/folders.ts";
import { listenProblem } from "../up/listenProblem.ts";
import { bad, type Finding, good, warn } from "./finding.ts";

const OLDEST_NODE = [22, 18] as const;

export function nodeFinding(version: string = process.versions.node): Finding {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	const enough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
	return enough ? good("node", version) : bad("node", version, `install Node ${OLDEST_NODE.join(".")} or newer`);
}

export function gitFinding(): Finding {
	const { status, stdout } = spawnSync("git", ["--version"], { encoding: "utf8" });
	if (status === 0) return good("git", stdout.trim().replace(/^git version /, ""));
	return warn(
		"git",
		"not found",
		"install git: without it files are found by walking, and author and churn filters have no data",
	);
}

export async function portFinding(host: string, port: number): Promise<Finding> {
	const problem = await listenProblem(host, port);
	if (problem === undefined) return good("port", port === 0 ? "any free one" : `${host}:${port} is free`);
	if (await isOurs(host, port)) return good("port", `${host}:${port} is that of a holdfast up which runs`);
	return warn(
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

export function homelessFinding(): Finding {
	return bad("home folder", "neither HOME nor the system names one", "set HOME to a folder that you may write to");
}

/** Folders we must be able to write, and a configuration file that others must not read: the one named, or the user's own. */
export function folderFindings(folders: Folders, named?: string): Finding[] {
	const findings = Object.entries(folders).map(([name, path]) => {
		const probe = join(path, `.doctor-${process.pid}`);
		try {
			makeFolder(path, 0o700);
			accessSync(path, constants.R_OK);
			// Actually writes: permission bits do not show a full disk, a quota or a read-only mount.
			replaceFile(probe, "writable\n", 0o600);
			rmSync(probe);
			return good(`${name} folder`, path);
		} catch (error) {
			return bad(
				`${name} folder`,
				failureText(error).replace(probe, path),
				`make ${path} a folder that you can write to, with room on its disk`,
			);
		}
	});
	const file = named ?? configFile(folders);
	const mode = modeOf(file);
	if (mode !== undefined && process.platform !== "win32" && (mode & 0o077) !== 0) {
		findings.push(warn("config file", `${file} can be read by others`, `chmod 600 ${file}`));
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
