type States = { readonly open: readonly string[]; readonly settled: readonly string[] };

/** Whether a reported state means that no action is needed. A state that nobody knows counts as open. */
export function stateOf(
	field: string,
	said: string | undefined,
	{ open, settled }: States,
): { readonly settled?: string; readonly warnings: readonly string[] } {
	const state = said?.toLowerCase() ?? "";
	if (settled.includes(state)) return { settled: state, warnings: [] };
	if (state === "" || open.includes(state)) return { warnings: [] };
	const known = [...open, ...settled].join(", ");
	return { warnings: [`${field}: expected ${known}, got ${JSON.stringify(state.slice(0, 40))}; it counts as open`] };
}
