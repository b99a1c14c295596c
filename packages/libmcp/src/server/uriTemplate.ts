/** The variables of a URI template, each a string; any names when the template is known only at run time. */
export type Variables<Template extends string> = string extends Template
	? Readonly<Record<string, string>>
	: { readonly [Name in VariableName<Template>]: string };

export type VariableName<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
	? (Name extends `+${infer Plain}` ? Plain : Name) | VariableName<Rest>
	: never;

type Piece = { readonly name: string; readonly takesSlashes: boolean; readonly after: string };

/** Matches URIs against a template: `{name}` matches anything but a slash, `{+name}` also slashes (RFC 6570). */
export function uriTemplate(template: string): (uri: string) => Record<string, string> | undefined {
	if (!WELL_FORMED.test(template))
		throw new TypeError(`uri: expected variables as {name} or {+name}, got ${JSON.stringify(template)}`);
	const head = template.slice(0, template.indexOf("{"));
	const pieces = Array.from(template.matchAll(VARIABLE), ([, plus, name = "", after = ""]) => ({
		name,
		takesSlashes: plus === "+",
		after,
	}));
	return (uri) => (uri.startsWith(head) ? match(uri.slice(head.length), pieces) : undefined);
}

/** URIs contain no braces, so a text with a brace is a template. */
export function isTemplate(uri: string): boolean {
	return /[{}]/.test(uri);
}

const WELL_FORMED = /^[^{}]*(?:\{\+?[A-Za-z_]\w*\}[^{}]*)+$/;
const VARIABLE = /\{(\+?)(\w+)\}([^{}]*)/g;

/** Each variable ends at the first match of the text after it, so matching is linear in the URI for each variable. */
function match(uri: string, pieces: readonly Piece[]): Record<string, string> | undefined {
	const found: Record<string, string> = {};
	let rest = uri;
	for (const [index, { name, takesSlashes, after }] of pieces.entries()) {
		const isLast = index === pieces.length - 1;
		// The last variable matches everything up to the template's fixed ending.
		const end = isLast ? rest.length - after.length : rest.indexOf(after, 1);
		if (end < 1 || !rest.startsWith(after, end)) return undefined;
		const value = decodeValue(rest.slice(0, end));
		if (value === undefined || (!takesSlashes && rest.slice(0, end).includes("/"))) return undefined;
		found[name] = value;
		rest = rest.slice(end + after.length);
	}
	return rest === "" ? found : undefined;
}

function decodeValue(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
