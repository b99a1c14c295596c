// The SDK creates two hundred schemas on loading and as many more for the first message, of which a handshake needs
// thirty. In a bundle each becomes a function that creates its schema on first use.
import { type AnyNode, type ObjectExpression, type Property, parse } from "acorn";
import { childrenOf, type Declaration, type ScriptNames, scriptNames } from "./scriptNames.ts";

type Edit = { readonly from: number; readonly until: number; readonly text: string };

const SCHEMA = /^[A-Z]\w*Schema(?:\$?\d+)?$/;
/** A scope that declares at least this many schemas is one of the SDK's schema modules. */
const MAKER_FLOOR = 20;

/** The script with its schemas created lazily. Throws when too few are found, since then the SDK has changed. */
export function lazySchemas(source: string): string {
	const script = parse(source, { ecmaVersion: "latest", sourceType: "script" });
	const names = scriptNames(script);
	const edits: Edit[] = [];
	/** Uses of a schema's name, which must become calls. */
	const calls = new Map<AnyNode, Edit>();
	for (const { name, statement, init, scope } of deferrable(names)) {
		edits.push(
			{ from: statement.start, until: init.start, text: `var ${name}$;function ${name}(){return ${name}$??=` },
			{ from: init.end, until: statement.end, text: "}" },
		);
		for (const { node, role } of names.usesOf(name, scope)) {
			if (role === "declared") continue;
			calls.set(node, { from: node.end, until: node.end, text: role === "short" ? `:${name}()` : "()" });
		}
	}
	for (const table of tablesIn(script)) edits.push(...getters(table, calls, source));
	return applied(source, [...calls.values(), ...edits]);
}

/** Declarations of schemas, and of values built from them, whose names are declared once in their scope. */
function deferrable({ declarations, usesOf }: ScriptNames): ReadonlySet<Declaration> {
	const plain = declarations.filter(
		({ name, scope }) => usesOf(name, scope).filter(({ role }) => role === "declared").length === 1,
	);
	const schemas = plain.filter(({ name }) => SCHEMA.test(name));
	const isMaker = (scope: AnyNode): boolean => schemas.filter((schema) => schema.scope === scope).length >= MAKER_FLOOR;
	const makers = new Set([...new Set(schemas.map(({ scope }) => scope))].filter(isMaker));
	const found = new Set(schemas.filter(({ scope }) => makers.has(scope)));
	if (makers.size < 2) throw new Error(`schemas: expected those of the SDK and of its revisions, found ${found.size}`);
	const others = plain.filter((one) => makers.has(one.scope) && !found.has(one));
	for (let before = 0; before < found.size; ) {
		before = found.size;
		const mentioned = new Set([...found].flatMap(({ name, scope }) => usesOf(name, scope).map(({ node }) => node)));
		for (const one of others) if (isMadeOf(one.init, mentioned)) found.add(one);
	}
	return found;
}

/** Whether the value itself uses one; uses inside functions and classes come later and do not count. */
function isMadeOf(value: AnyNode, mentioned: ReadonlySet<AnyNode>): boolean {
	if (/Function|Class/.test(value.type)) return false;
	return mentioned.has(value) || childrenOf(value).some((child) => isMadeOf(child, mentioned));
}

/** Object literals that are returned or assigned, which may list schemas. */
function tablesIn(node: AnyNode): ObjectExpression[] {
	const value =
		node.type === "ReturnStatement" ? node.argument : node.type === "AssignmentExpression" ? node.right : undefined;
	return [...(value?.type === "ObjectExpression" ? [value] : []), ...childrenOf(node).flatMap(tablesIn)];
}

/** Members that are schemas become getters; a call that stands for itself already is not made twice. */
function getters(table: ObjectExpression, calls: Map<AnyNode, Edit>, source: string): Edit[] {
	return table.properties.flatMap((member) => {
		if (member.type !== "Property" || member.kind !== "init" || member.computed || member.method) return [];
		const { key, value } = member;
		if (value.type === "ObjectExpression") return getters(value, calls, source);
		const name = source.slice(key.start, key.end);
		if (member.shorthand && calls.delete(value)) return [replaced(member, `get ${name}(){return ${name}()}`)];
		if (calls.has(value) || isSchemaOf(value)) return around(member, `get ${name}(){return `, "}");
		if (value.type !== "CallExpression" || !SCHEMA.test(name)) return [];
		return around(member, `get ${name}(){return this.${name}$??=`, "}");
	});
}

/** A schema taken from another table, as in `schemas.PingRequestSchema`. */
function isSchemaOf(value: AnyNode): boolean {
	if (value.type !== "MemberExpression" || value.object.type !== "Identifier") return false;
	return !value.computed && value.property.type === "Identifier" && SCHEMA.test(value.property.name);
}

function replaced({ start, end }: Property, text: string): Edit {
	return { from: start, until: end, text };
}

function around({ start, end, value }: Property, before: string, after: string): Edit[] {
	return [
		{ from: start, until: value.start, text: before },
		{ from: end, until: end, text: after },
	];
}

/** Edits at one place are made in the order in which they are given. */
function applied(source: string, edits: readonly Edit[]): string {
	let text = "";
	let at = 0;
	for (const edit of edits.toSorted((a, b) => a.from - b.from || a.until - b.until)) {
		if (edit.from < at) throw new Error(`schemas: two edits of ${JSON.stringify(source.slice(edit.from, edit.until))}`);
		text += source.slice(at, edit.from) + edit.text;
		at = edit.until;
	}
	return text + source.slice(at);
}
