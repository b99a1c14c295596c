import { propertyName } from "./names.ts";

/** A union as the texts of its members, none being `never`; `joined` when its only member is an intersection. */
export type Type = { readonly texts: readonly string[]; readonly joined?: boolean };

export type Member = { readonly name: string; readonly optional: boolean; readonly type: Type; readonly note: string };

export const UNKNOWN: Type = { texts: ["unknown"] };
export const ANY_OBJECT: Type = { texts: ["Record<string, unknown>"] };

export function textOf({ texts }: Type): string {
	return texts.length === 0 ? "never" : texts.join(" | ");
}

function isUnknown({ texts }: Type): boolean {
	return texts.includes("unknown");
}

/** A union that contains `unknown` is `unknown`. */
export function oneOf(types: readonly Type[]): Type {
	const [only, ...more] = types;
	if (only !== undefined && more.length === 0) return only;
	return types.some(isUnknown) ? UNKNOWN : { texts: [...new Set(types.flatMap(({ texts }) => texts))] };
}

/** An intersection without members that add nothing: `unknown`, any object, duplicates. */
export function allOf(types: readonly Type[]): Type {
	const known = types.filter((type) => !isUnknown(type));
	const telling = known.filter((type) => textOf(type) !== textOf(ANY_OBJECT));
	const kept = telling.length > 0 ? telling : known.slice(0, 1);
	const distinct = kept.filter((type, at) => kept.findIndex((other) => textOf(other) === textOf(type)) === at);
	const [only, ...more] = distinct;
	if (only === undefined || more.length === 0) return only ?? UNKNOWN;
	return {
		texts: [distinct.map((type) => (type.texts.length > 1 ? `(${textOf(type)})` : textOf(type))).join(" & ")],
		joined: true,
	};
}

export function listOf(type: Type): Type {
	return { texts: [`${type.joined === true || type.texts.length > 1 ? `(${textOf(type)})` : textOf(type)}[]`] };
}

/** An object type: on one line, or one line per member if any has a note. `open` allows other members. */
export function objectOf(members: readonly Member[], open: boolean): Type {
	// `unknown`, because the declared members must fit the index signature too.
	const others = open ? ["[key: string]: unknown"] : [];
	const fields = members.map(
		({ name, optional, type }) => `${propertyName(name)}${optional ? "?" : ""}: ${textOf(type)}`,
	);
	if (members.every(({ note }) => note === "")) {
		const written = [...fields, ...others];
		return { texts: [written.length === 0 ? "{}" : `{ ${written.join("; ")} }`] };
	}
	const noted = fields.map((field, at) => (members[at]?.note ? `/** ${members[at].note} */\n${field}` : field));
	return { texts: [`{${[...noted, ...others].map((line) => indented(`\n${line};`, "\t")).join("")}\n}`] };
}

/** Indents all lines of a text but the first, which follows other text. */
export function indented(text: string, indent: string): string {
	return text.replaceAll("\n", `\n${indent}`);
}
