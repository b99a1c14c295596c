// Every supported version of Node has these, but TypeScript's libraries do not declare them yet.

/** A value that `JSON.stringify` writes as this text, which must be that of a string, number, boolean or null. */
export const rawJson: (text: string) => unknown = Reflect.get(JSON, "rawJSON");

export const isRawJson: (value: unknown) => boolean = Reflect.get(JSON, "isRawJSON");
