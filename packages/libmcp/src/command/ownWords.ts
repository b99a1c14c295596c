/** The words before `--`; those after it are not the command's own options. */
export function ownWords(args: readonly string[]): readonly string[] {
	const end = args.indexOf("--");
	return end === -1 ? args : args.slice(0, end);
}
