/** What commands print with: colour only for people, and only when they want it. */
export type Console = {
	out(text: string): void;
	error(text: string): void;
	bold(text: string): string;
	dim(text: string): string;
};

export function processConsole(): Console {
	const colour = process.stdout.isTTY && (process.env.NO_COLOR ?? "") === "";
	const paint = (code: number) => (text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
	return {
		out: (text) => void process.stdout.write(`${text}\n`),
		error: (text) => void process.stderr.write(`${text}\n`),
		bold: paint(1),
		dim: paint(2),
	};
}
