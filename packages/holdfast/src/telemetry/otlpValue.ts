export type Attribute = {
	readonly key: string;
	readonly value: { readonly stringValue: string } | { readonly intValue: string } | { readonly doubleValue: number };
};

export function otlpAttributes(attributes: Readonly<Record<string, string | number>>): Attribute[] {
	return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }));
}

/** A collector refuses the whole body for an `intValue` that is not a whole number. */
function otlpValue(value: string | number): Attribute["value"] {
	if (typeof value === "string") return { stringValue: value };
	return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Converts Unix milliseconds to a decimal text of nanoseconds, exact to the microsecond. */
export function nanoseconds(ms: number): string {
	return `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;
}
