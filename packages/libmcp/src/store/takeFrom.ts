import type { Allowance } from "./store.ts";
import type { Rows } from "./tables.ts";

type CounterRow = { readonly windowStart: number; readonly taken: number };

const EVERYONE = "";

/** Takes up to `amount` of what is left in the current window, and returns how much that was. */
export function takeFrom(
	rows: Rows,
	counter: string,
	amount: number,
	{ most, windowMs, now }: Allowance & { readonly now: number },
): number {
	const windowStart = now - (now % windowMs);
	const text = rows.get("counter", EVERYONE, counter);
	const row = text === undefined ? undefined : (JSON.parse(text) as CounterRow);
	const taken = row?.windowStart === windowStart ? row.taken : 0;
	const granted = Math.max(0, Math.min(amount, most - taken));
	rows.put("counter", EVERYONE, counter, JSON.stringify({ windowStart, taken: taken + granted } satisfies CounterRow));
	return granted;
}
