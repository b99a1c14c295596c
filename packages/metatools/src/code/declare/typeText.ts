import { toPlainLine } from "../../catalog/text.ts";

/** A union as the texts of its members, none being `never`; `joined` when its only member is an intersection. */
export type Type = { readonly texts: readonly string[]; readonly joined?: boolean };

export type Member = { readonly name: string; readonly optional: boolean; readonly type: Type; readonly note: string };

export const UNKNOWN: Type = { texts: ["unknown"] };
export const ANY_OBJECT: Type = { texts: ["Record<string, unknown>"] };

export function writeType({ texts }: Type): string {
	return texts.length === 0 ? "never" : texts.join(" | ");
}

function isUnknown({ texts }: Type): boolean {
	return texts.includes("unknown");
}

/** A union that contains `unknown` is `unknown`. */
export function joinTypes(types: readonly Type[]): Type {
	const [only, ...more] = types;
	if (only !== undefined && more.length === 0) return only;
	return types.some(isUnknown) ? UNKNOWN : { texts: [...new Set(types.flatMap(({ texts }) => texts))] };
}

/** An intersection without members that add nothing: `unknown`, any object, duplicates. */
export function intersectTypes(types: readonly Type[]): Type {
	const known = types.filter((type) => !isUnknown(type));
	const telling = known.filter((type) => writeType(type) !== writeType(ANY_OBJECT));
	const kept = telling.length > 0 ? telling : known.slice(0, 1);
	const distinct = kept.filter((type, at) => kept.findIndex((other) => writeType(other) === writeType(type)) === at);
	const [only, ...more] = distinct;
	if (only === undefined || more.length === 0) return only ?? UNKNOWN;
	return {
		texts: [distinct.map((type) => (type.texts.length > 1 ? `(${writeType(type)})` : writeType(type))).join(" & ")],
		joined: true,
	};
}

export function createListType(type: Type): Type {
	return { texts: [`${type.joined === true || type.texts.length > 1 ? `(${writeType(type)})` : writeType(type)}[]`] };
}

/** An object type: on one line, or one line per member if any has a note. `open` allows other members. */
export function createObjectType(members: readonly Member[], open: boolean): Type {
	// `unknown`, because the declared members must fit the index signature too.
	const others = open ? ["[key: string]: unknown"] : [];
	const fields = members.map(
		({ name, optional, type }) => `${writePropertyName(name)}${optional ? "?" : ""}: ${writeType(type)}`,
	);
	if (members.every(({ note }) => note === "")) {
		const written = [...fields, ...others];
		return { texts: [written.length === 0 ? "{}" : `{ ${written.join("; ")} }`] };
	}
	const noted = fields.map((field, at) => (members[at]?.note ? `/** ${members[at].note} */\n${field}` : field));
	return { texts: [`{${[...noted, ...others].map((line) => indentText(`\n${line};`, "\t")).join("")}\n}`] };
}

/** Indents all lines of a text but the first, which follows other text. */
export function indentText(text: string, indent: string): string {
	return text.replaceAll("\n", `\n${indent}`);
}

const MAX_COMMENT = 300;

/** A property's name, quoted unless it is plainly an identifier. */
export function writePropertyName(name: string): string {
	return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : writeLiteral(name);
}

/** A string literal that no text can break out of: JSON, with the two line breaks JSON leaves alone. */
export function writeLiteral(text: string): string {
	return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** One line of documentation that cannot close its own comment. */
export function writeDocComment(description: unknown, indent: string): string[] {
	const line = typeof description === "string" ? toPlainLine(description, MAX_COMMENT) : "";
	return line === "" ? [] : [`${indent}/** ${escapeCommentEnd(line)} */`];
}

export function escapeCommentEnd(comment: string): string {
	return comment.replaceAll("*/", "*\\/");
}
