/** Shortens a value's texts and lists to about `most` characters in total, so that its shape stays readable. */
export function cutTexts(value: unknown, most: number): unknown {
	let left = most;
	return cut(value);

	function cut(part: unknown): unknown {
		if (typeof part === "string") return text(part);
		if (typeof part !== "object" || part === null) {
			left -= String(part).length;
			return part;
		}
		if (Array.isArray(part)) {
			const kept = whileRoom(part, cut);
			return kept.length === part.length ? kept : [...kept, `… ${part.length - kept.length} more`];
		}
		const members = Object.entries(part);
		const kept = whileRoom(members, ([name, member]) => {
			left -= name.length;
			return [name, cut(member)] as const;
		});
		const rest = members.length - kept.length;
		return Object.fromEntries(rest === 0 ? kept : [...kept, ["…", `${rest} more`]]);
	}

	function text(whole: string): string {
		const shown = whole.slice(0, Math.max(0, left)).toWellFormed();
		left -= whole.length;
		return shown.length === whole.length
			? whole
			: `${shown}… ${(whole.length - shown.length).toLocaleString("en")} characters more`;
	}

	function whileRoom<T, R>(all: readonly T[], change: (one: T) => R): R[] {
		const kept: R[] = [];
		for (const one of all) {
			if (left <= 0) break;
			kept.push(change(one));
		}
		return kept;
	}
}
