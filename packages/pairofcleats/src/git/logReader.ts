/** Starts a commit's header; a path that begins with it is known by its place. */
const MARK = "\u0001";
/** The format of `git log -z` that this reads, with the changes as `--name-status` or `--numstat`. */
export const LOG_FORMAT = `--format=${MARK}%H%x00%aN%x00%at%x00`;

export type LogCommit = {
	readonly hash: string;
	readonly author: string;
	/** Author date in seconds since 1970. */
	readonly time: number;
};

export type LogChange = {
	readonly path: string;
	/** The file's name before this commit renamed it. */
	readonly from: string | undefined;
	/** Lines added and deleted; 0 for a binary file, and where git did not count them. */
	readonly lines: number;
	/** Made by a merge, whose file is that of none of its parents. */
	readonly merged: boolean;
};

export type LogEvents = {
	readonly onCommit: (commit: LogCommit) => void;
	/** A file that the last commit changed. */
	readonly onChange: (change: LogChange) => void;
};

/** A change whose paths follow in fields of their own; a rename has two. */
type OpenChange = {
	readonly lines: number;
	readonly merged: boolean;
	readonly names: 1 | 2;
	readonly paths: string[];
};

/** Parses git's output in pieces of any size and keeps nothing of it. */
export class LogReader {
	readonly #events: LogEvents;
	#rest = Buffer.alloc(0);
	#header: string[] | undefined;
	#change: OpenChange | undefined;

	constructor(events: LogEvents) {
		this.#events = events;
	}

	push(chunk: Buffer): void {
		const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
		let from = 0;
		for (let at = bytes.indexOf(0, from); at >= 0; at = bytes.indexOf(0, from)) {
			this.#field(bytes.toString("utf8", from, at));
			from = at + 1;
		}
		this.#rest = Buffer.from(bytes.subarray(from));
	}

	#field(field: string): void {
		if (this.#header) this.#headerField(this.#header, field);
		else if (this.#change) this.#pathField(this.#change, field);
		else {
			const text = field.replace(/^\n+/, "");
			if (text.startsWith(MARK)) this.#header = [text.slice(1)];
			else if (/^[A-Z]/.test(text)) this.#change = openChange(text);
			else if (text !== "") this.#counted(text);
		}
	}

	#headerField(header: string[], field: string): void {
		header.push(field);
		const [hash = "", author = "", time] = header;
		if (time === undefined) return;
		this.#header = undefined;
		this.#events.onCommit({ hash, author, time: Number(time) || 0 });
	}

	#pathField({ lines, merged, names, paths }: OpenChange, path: string): void {
		paths.push(path);
		if (paths.length < names) return;
		this.#change = undefined;
		this.#events.onChange({ path, from: names === 2 ? paths[0] : undefined, lines, merged });
	}

	#counted(text: string): void {
		const [, added, deleted, path = ""] = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(text) ?? [];
		// A binary file shows dashes.
		const lines = (Number(added) || 0) + (Number(deleted) || 0);
		if (path === "") this.#change = { lines, merged: false, names: 2, paths: [] };
		else this.#events.onChange({ path, from: undefined, lines, merged: false });
	}
}

/** The status of a change: `M`, `R100` for a rename, and for a merge a letter for each parent and one path. */
function openChange(status: string): OpenChange {
	return { lines: 0, merged: /^[A-Z]{2}/.test(status), names: /^[RC]\d/.test(status) ? 2 : 1, paths: [] };
}
