/** Begins each message of a child process to its parent: modules that NODE_OPTIONS preloads print to its stdout too. */
const MARK = "pairofcleats: ";

/** The line break before it ends a line that another module has begun. */
export function sendToParent(message: object): void {
	process.stdout.write(`\n${MARK}${JSON.stringify(message)}\n`);
}

/** The message in a line of a child's output, of the type that this child sends; undefined for any other line. */
export function messageIn<Message extends object>(line: string): Message | undefined {
	if (!line.startsWith(MARK)) return undefined;
	try {
		return JSON.parse(line.slice(MARK.length));
	} catch {
		// The child was killed while it wrote the line.
		return undefined;
	}
}

/** Like `messageIn`, for the whole output of a child that sends one message. */
export function messageOf<Message extends object>(output: string): Message | undefined {
	for (const line of output.split("\n")) {
		const message = messageIn<Message>(line);
		if (message !== undefined) return message;
	}
	return undefined;
}
