import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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
	const log = join(folder, "calls");
	await writeFile(log, "");
	await writeFile(command, client({ ...state, folder, log }), { mode: 0o755 });
	return {
		command,
		calls: async () =>
			(await readFile(log, "utf8"))
				.split(END_OF_CALL)
				.slice(0, -1)
				.map((call) => call.split("\0").slice(0, -1)),
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}

const END_OF_CALL = "\u001e";

/**
 * A script of the shell, because two calls come with every run and Node takes long to start. A name is kept with its
 * process, so that `rm` reaches what `run` started.
 */
function client(state: { engine: boolean; images: readonly string[]; folder: string; log: string }): string {
	return `#!/bin/sh
{ printf '%s\\0' "$@"; printf '\\036'; } >> '${state.log}'
fail() { echo "$1" >&2; exit 1; }
${state.engine ? "" : "fail 'Cannot connect to the Docker daemon'"}
case "$1" in
image)
	for image; do :; done
	case "$image" in ${state.images.map((image) => `'${image}') ;; `).join("")}*) fail 'No such image' ;; esac ;;
rm)
	# Gone already, as with --rm; otherwise its client says so before this one ends.
	if kill -9 "$(cat '${state.folder}'/"$3".pid)" 2>/dev/null; then
		for _ in 1 2 3 4 5 6 7 8 9; do [ -e '${state.folder}'/"$3".over ] || sleep 0.01; done
	fi ;;
run)
	name=$5
	while [ "$1" != --entrypoint=node ]; do shift; done
	shift 2
	# What runs in the background has no input by itself.
	exec 3<&0
	env -i '${process.execPath}' "$@" <&3 3<&- &
	echo $! > '${state.folder}'/"$name".pid
	wait $!
	code=$?
	[ $code != 137 ] || echo 'the container was killed' >&2
	: > '${state.folder}'/"$name".over
	exit $code ;;
esac
exit 0
`;
}
