import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A `docker` on this machine that writes down how it was called and runs the container's program as a process. */
export type FakeDocker = {
	readonly command: string;
	/** Every call's arguments, in order. */
	calls(): Promise<string[][]>;
	remove(): Promise<void>;
};

export async function fakeDocker(state: { engine: boolean; images: readonly string[] }): Promise<FakeDocker> {
	const folder = await mkdtemp(join(tmpdir(), "fake-docker-"));
	const command = join(folder, "docker");
	const log = join(folder, "calls.jsonl");
	await writeFile(log, "");
	await writeFile(
		command,
		`#!${process.execPath}\n(${client.toString()})(${JSON.stringify({ ...state, folder, log })})\n`,
	);
	await chmod(command, 0o755);
	return {
		command,
		calls: async () =>
			(await readFile(log, "utf8"))
				.split("\n")
				.filter((line) => line !== "")
				.map((line): string[] => JSON.parse(line)),
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}

/** Travels as text into the executable. A name is kept with its process, so that `rm` reaches what `run` started. */
function client(state: { engine: boolean; images: string[]; folder: string; log: string }): void {
	const fs = process.getBuiltinModule("node:fs");
	const { spawn } = process.getBuiltinModule("node:child_process");
	const args = process.argv.slice(2);
	fs.appendFileSync(state.log, `${JSON.stringify(args)}\n`);
	const pidFile = (name: string | undefined): string => `${state.folder}/${name}.pid`;
	const fail = (text: string): never => {
		process.stderr.write(`${text}\n`);
		process.exit(1);
	};
	if (!state.engine) fail("Cannot connect to the Docker daemon");
	if (args[0] === "image" && !state.images.includes(args.at(-1) ?? "")) fail("No such image");
	if (args[0] === "rm") {
		try {
			process.kill(Number(fs.readFileSync(pidFile(args[2]), "utf8")), "SIGKILL");
		} catch {
			// Gone already, as with --rm.
		}
	}
	if (args[0] === "run") {
		const program = args.slice(args.indexOf("--entrypoint=node") + 2);
		const child = spawn(process.execPath, program, { stdio: "inherit", env: {} });
		fs.writeFileSync(pidFile(args[args.indexOf("--name") + 1]), String(child.pid));
		child.on("exit", (code, signal) => process.exit(signal === "SIGABRT" ? 134 : (code ?? 137)));
	}
}
