import type { ChildProcess, SpawnOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, extname, join } from "node:path";

type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** Spawns without a shell. On Windows a batch file needs cmd, so it goes through cmd with every argument quoted. */
export function spawnCommand(
	spawn: Spawn,
	command: string,
	args: readonly string[],
	options: SpawnOptions,
	platform: NodeJS.Platform = process.platform,
): ChildProcess {
	if (platform !== "win32") return spawn(command, args, options);
	const file = resolveOnWindows(command, options.env ?? process.env);
	if (!/\.(?:cmd|bat)$/i.test(file)) return spawn(file, args, options);
	const line = [file, ...args].map(quoteForCmd).join(" ");
	const shell = options.env?.ComSpec ?? "cmd.exe";
	return spawn(shell, ["/d", "/s", "/c", `"${line}"`], { ...options, windowsVerbatimArguments: true });
}

function resolveOnWindows(command: string, environment: NodeJS.ProcessEnv): string {
	const extensions = extname(command) === "" ? (environment.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";") : [""];
	const folders = /[\\/]/.test(command) ? [""] : (environment.Path ?? environment.PATH ?? "").split(delimiter);
	for (const folder of folders) {
		for (const extension of extensions) {
			const candidate = folder === "" ? `${command}${extension}` : join(folder, `${command}${extension}`);
			if (existsSync(candidate)) return candidate;
		}
	}
	return command;
}

/** Quotes for the program's own argument parsing, then escapes for cmd twice, because batch files expand again. */
function quoteForCmd(argument: string): string {
	const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;
	const escaped = quoted.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
	return escaped.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}
