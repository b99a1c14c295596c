import { ToolError, toolErrorFrom } from "../contract/errors.ts";

export const MAX_PARALLEL = 16;
const MAX_ITEMS = 1_000;

export type Mapped = { readonly values: readonly unknown[]; readonly error?: ToolError };

/**
 * Runs one call per item, a few at a time, and none if `check` refuses one of the items. The first failure stops the
 * rest; finished results keep their index, and the failure names the items that were still running: their effects are
 * unknown, and running them again may repeat them.
 */
export async function mapItems(
	items: readonly unknown[],
	parallel: number,
	signal: AbortSignal,
	run: (item: unknown, index: number, signal: AbortSignal) => Promise<unknown>,
	check: (item: unknown, index: number) => Promise<void> = async () => {},
): Promise<Mapped> {
	if (items.length > MAX_ITEMS)
		throw new ToolError("validation_input", `map: expected at most ${MAX_ITEMS} items, got ${items.length}`, {
			op: "validate_input",
		});
	for (const [index, item] of items.entries())
		await check(item, index).catch((thrown: unknown) => {
			throw noneRun(toolErrorFrom(thrown, { details: { item_index: index } }));
		});
	const values: unknown[] = items.map(() => null);
	const stop = new AbortController();
	const either = AbortSignal.any([signal, stop.signal]);
	const cutShort: number[] = [];
	let error: ToolError | undefined;
	let next = 0;
	const worker = async (): Promise<void> => {
		while (next < items.length && error === undefined) {
			const index = next++;
			try {
				values[index] = await run(items[index], index, either);
			} catch (thrown) {
				if (error !== undefined) cutShort.push(index);
				error ??= toolErrorFrom(thrown, { details: { item_index: index } });
				stop.abort();
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
	if (error === undefined) return { values };
	const details = { items_cut_short: cutShort.toSorted((a, b) => a - b) };
	return { values, error: cutShort.length === 0 ? error : error.within({ details }) };
}

function noneRun({ object }: ToolError): ToolError {
	const { code, message, ...parts } = object;
	return new ToolError(code, `${message}; no item was run`, parts);
}
