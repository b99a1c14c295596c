const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** The milliseconds in `250ms`, `30s`, `5m` or `1h30m`; undefined if the text is none of that kind. */
export function durationMs(text: string): number | undefined {
	if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined;
	const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
	return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS], 0);
}
