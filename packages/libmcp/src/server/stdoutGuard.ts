import { mindedStderr } from "../process/ownProcess.ts";

/** Reserves stdout for the protocol: all other output goes to stderr. The returned object undoes it. */
export function guardStdout(): {
	readonly write: (bytes: string | Uint8Array) => boolean;
	readonly release: () => void;
} {
	const { stdout } = process;
	const own = stdout.write;
	// The console writes through this too.
	const stray: typeof own = (...given: unknown[]) => {
		const stderr = mindedStderr();
		return Reflect.apply(stderr.write, stderr, given);
	};
	stdout.write = stray;
	return {
		write: (bytes) => own.call(stdout, bytes),
		release: () => {
			if (stdout.write === stray) stdout.write = own;
		},
	};
}
