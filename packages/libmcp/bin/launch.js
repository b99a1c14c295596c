// Plain JavaScript that parses on Node 20: it must be able to say that Node 20 is too old.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MINIMUM = [22, 18];

/** Imports a command's built entry, on a Node new enough to run it. */
export async function launch(entry) {
	if (isNewEnough(process.versions.node)) {
		nodeModule.enableCompileCache?.();
		const { main } = await import(entry);
		return main(process.argv.slice(2));
	}
	const newer = workspaceNode(dirname(fileURLToPath(entry)));
	if (newer === undefined) {
		process.stderr.write(
			`Node ${MINIMUM.join(".")} or newer is needed; this is ${process.versions.node} (${process.execPath}).\n`,
		);
		process.exit(1);
	}
	runAgain(newer);
}

function isNewEnough(version) {
	const [major, minor] = version.split(".").map(Number);
	return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
}

// A checkout installs its own Node as a dev dependency; it sits in some ancestor's node_modules.
function workspaceNode(from) {
	const name = process.platform === "win32" ? "node.exe" : "node";
	for (let folder = from; ; folder = dirname(folder)) {
		const candidate = join(folder, "node_modules", "node", "bin", name);
		if (existsSync(candidate)) return candidate;
		if (folder === dirname(folder)) return undefined;
	}
}

function runAgain(node) {
	const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: "inherit" });
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
	child.on("exit", (code, signal) => {
		process.removeAllListeners(signal ?? "");
		if (signal) process.kill(process.pid, signal);
		else process.exit(code ?? 1);
	});
}
