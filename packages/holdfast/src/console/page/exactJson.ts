/** Parses JSON; numbers that JavaScript would change are kept as objects that `JSON.stringify` writes as the same digits. */
export function parseExactly(json: string): unknown {
	return JSON.parse(json, keepExact);
}

export function isExactNumber(value: unknown): boolean {
	return engine.isRawJSON?.(value) === true;
}

type Context = { readonly source?: string };
/** Missing in browsers older than 2025, which round. */
type Engine = { rawJSON?(text: string): unknown; isRawJSON?(value: unknown): boolean };

const engine: Engine = JSON as typeof JSON & Engine;

function keepExact(_: string, value: unknown, { source }: Context = {}): unknown {
	if (typeof value !== "number" || source === undefined || engine.rawJSON === undefined) return value;
	const isChanged = !Number.isFinite(value) || (/^-?\d+$/.test(source) && String(value) !== source && source !== "-0");
	return isChanged ? engine.rawJSON(source) : value;
}
