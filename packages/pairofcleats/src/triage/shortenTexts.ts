const LONGEST = 16 * 1024;

/** Shortens every long text of a parsed report, because a rule's text is stored with each of its findings. */
export function shortenTexts(report: unknown): void {
	const pending = [report];
	for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
		if (typeof value !== "object" || value === null) continue;
		const members = value as Record<string, unknown>;
		for (const [name, member] of Object.entries(members)) {
			if (typeof member === "object") pending.push(member);
			else if (typeof member === "string" && member.length > LONGEST) members[name] = `${member.slice(0, LONGEST)}…`;
		}
	}
}
