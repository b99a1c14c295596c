export type Attribute = {
	readonly key: string;
	readonly value: { readonly stringValue: string } | { readonly intValue: string };
};

export function otlpAttributes(attributes: Readonly<Record<string, string | number>>): Attribute[] {
	return Object.entries(attributes).map(([key, value]) => ({
		key,
		value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
	}));
}

/** Converts Unix milliseconds to a decimal text of nanoseconds, exact to the microsecond. */
export function nanoseconds(ms: number): string {
	return `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;
}
