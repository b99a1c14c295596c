import { main } from "../../src/cli/main.ts";

export type Place = { readonly env: NodeJS.ProcessEnv; readonly cwd: string };
export type Ended = { readonly status: number; readonly stdout: string; readonly stderr: string };

/** Runs a command to its end without a process of its own, whose start takes longer than most commands do. */
export async function inProcess(
	args: readonly string[],
	{ env, cwd }: Place,
	command: (args: readonly string[]) => Promise<void> = main,
): Promise<Ended> {
	const before = { env: { ...process.env }, cwd: process.cwd() };
	const out = captured(process.stdout);
	const err = captured(process.stderr);
	try {
		setEnvironment(env);
		process.chdir(cwd);
		await command(args);
		return { status: Number(process.exitCode ?? 0), stdout: out.text(), stderr: err.text() };
	} finally {
		process.exitCode = undefined;
		process.chdir(before.cwd);
		setEnvironment(before.env);
		out.release();
		err.release();
	}
}

/** In place, because the system reads the home folder from there too. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
	for (const name of Object.keys(process.env)) delete process.env[name];
	Object.assign(process.env, env);
}

function captured(stream: NodeJS.WriteStream) {
	const { write } = stream;
	let text = "";
	stream.write = (chunk: string | Uint8Array, ...rest: never[]): boolean => {
		// The runner of the tests reports in bytes.
		if (typeof chunk !== "string") return write.call(stream, chunk, ...rest);
		text += chunk;
		return true;
	};
	return {
		text: () => text,
		release: () => {
			stream.write = write;
		},
	};
}
