/** Writes to stderr. What cannot be written is lost. */
export function writeStderr(text: string): void {
	mindedStderr().write(text);
}

/** Stderr for a program that must outlive the reader of its log and a full disk. Opening it takes milliseconds. */
export function mindedStderr(): NodeJS.WriteStream {
	minded ??= process.stderr.on("error", () => {});
	return minded;
}

let minded: NodeJS.WriteStream | undefined;
