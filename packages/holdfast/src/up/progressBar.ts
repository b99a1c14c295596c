const WIDTH = 28;

export type ProgressBar = {
	update(done: number, total: number, note: string): void;
	/** Makes room for other text; the next update draws it again. */
	clear(): void;
};

/** A line that redraws itself on a capable terminal; elsewhere it prints nothing. */
export function createProgressBar(label: string, stream: NodeJS.WriteStream = process.stderr): ProgressBar {
	if (!stream.isTTY || process.env.TERM === "dumb") return { update: () => {}, clear: () => {} };
	return {
		update(done, total, note) {
			const share = total > 0 ? Math.min(1, done / total) : 0;
			const filled = Math.round(share * WIDTH);
			const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
			const line = `${label} ${String(Math.round(share * 100)).padStart(3)} % ${bar} `;
			const room = (stream.columns ?? 80) - 1;
			stream.write(`\r\u001b[2K${(line + endOf(note, room - line.length)).slice(0, Math.max(20, room))}`);
		},
		clear: () => stream.write("\r\u001b[2K"),
	};
}

/** Keeps the end, where paths in one folder differ. */
function endOf(note: string, room: number): string {
	if (note.length <= room) return note;
	return room > 1 ? `…${note.slice(1 - room)}` : "";
}
