import { basename } from "node:path";
import { nearest } from "libmcp/command";
import { MAX_NAMESPACE_LENGTH, safeName, withHash } from "../catalog/toolId.ts";
import { showValue } from "../contract/json.ts";
import type { ReachableSpec, StdioSpec, Unplaced, UpstreamSpec } from "../upstream/spec.ts";
import { expandVariables, parseFile, readSection, reasonOf, type ServerEntry } from "./configFile.ts";
import { SERVER_FIELDS } from "./fileSchema.ts";
import { isSwitchedOff, readServer } from "./servers.ts";

/** Reads the servers of our own file. An unusable one is listed with the reason, so that the others still work. */
export function readOwnServers(
	entries: readonly ServerEntry[],
	environment: Readonly<Record<string, string | undefined>>,
	warnings: string[],
): Unplaced<UpstreamSpec>[] {
	return entries
		.filter(({ entry }) => !isSwitchedOff(entry))
		.map(({ name, entry, problem }) => {
			const place = `mcpServers.${name}`;
			const ignored = misspeltFields(entry, place);
			try {
				if (problem !== undefined) throw new Error(problem);
				const variables = new Map<string, string>();
				const expanded = expandVariables(entry, environment, place, variables);
				const server = readServer(name, expanded, place, variables);
				warnings.push(...ignored);
				return server;
			} catch (thrown) {
				return {
					kind: "unusable",
					name,
					protocol: "auto",
					reason: [reasonOf(thrown), ...ignored].join("; "),
				};
			}
		});
}

/** Reports only unknown fields that look misspelt: an entry copied from another client may have fields of that client. */
function misspeltFields(entry: unknown, place: string): readonly string[] {
	const unread = Object.keys(readSection(entry)).filter((name) => !SERVER_FIELDS.includes(name));
	return unread.flatMap((name) => {
		const meant = nearest(name, SERVER_FIELDS);
		return meant === undefined ? [] : [`${place}.${name} is ignored; did you mean ${meant}?`];
	});
}

/** The servers of a file that belongs to another client. */
export function importServers(
	path: string,
	environment: Readonly<Record<string, string | undefined>>,
	warnings: string[],
): Unplaced<ReachableSpec>[] {
	let block: unknown;
	try {
		const { value: file } = parseFile(path);
		block = file.mcpServers ?? file.servers ?? {};
	} catch (thrown) {
		// The file belongs to another client and may have been removed with it.
		warnings.push(`${path} is left out: ${reasonOf(thrown)}`);
		return [];
	}
	// Another client's file may hold entries that only that client understands: skip the entry, not the whole file.
	return Object.entries(readSection(block)).flatMap(([name, entry]) => {
		if (isSwitchedOff(entry)) return [];
		try {
			const variables = new Map<string, string>();
			const expanded = expandVariables(entry, environment, name, variables);
			const server = readServer(name, expanded, `${path}.${name}`, variables);
			if (!isGatewayEntry(server)) return [server];
			// The entry that `holdfast install` writes is meant to be there.
			if (name !== INSTALLED_NAME) warnings.push(`${path}: ${name} is left out: it is the gateway itself`);
			return [];
		} catch (thrown) {
			warnings.push(`${path}: ${name} is left out: ${reasonOf(thrown)}`);
			return [];
		}
	});
}

/**
 * Gives each server a namespace that is not taken. Those whose name can be one come first, and otherwise the order of
 * the list decides.
 */
export function assignNamespaces(servers: readonly Unplaced<UpstreamSpec>[], taken: Set<string>): UpstreamSpec[] {
	const exactFirst = servers.toSorted((a, b) => Number(isExact(b.name)) - Number(isExact(a.name)));
	const namespaces = new Map(exactFirst.map(({ name }) => [name, namespaceOf(name, taken)]));
	return servers.map((server) => ({ ...server, namespace: namespaces.get(server.name) ?? server.name }));
}

function isExact(name: string): boolean {
	return safeName(name, MAX_NAMESPACE_LENGTH) === name;
}

function namespaceOf(name: string, taken: Set<string>): string {
	const wanted = safeName(name, MAX_NAMESPACE_LENGTH);
	const namespace = taken.has(wanted) ? withHash(wanted, name, MAX_NAMESPACE_LENGTH) : wanted;
	taken.add(namespace);
	return namespace;
}

/** A complaint for each id that several names become: all but the first could not be addressed by it. */
export function findSharedIds(section: string, names: readonly string[], idOf: (name: string) => string): string[] {
	const namesOf = Map.groupBy(names, idOf);
	return [...namesOf].flatMap(([id, sharing]) =>
		sharing.length > 1 ? [`${section}: expected one name for ${id}, got ${sharing.map(showValue).join(" and ")}`] : [],
	);
}

/**
 * The server that a gateway would run for this `mcpServers` entry, with its variables filled in; throws if it could not
 * use it, with a message that names the field below `place`.
 */
export function checkServer(
	name: string,
	entry: unknown,
	place: string,
	environment: Readonly<Record<string, string | undefined>>,
): ReachableSpec {
	const at = `${place}.${name}`;
	const variables = new Map<string, string>();
	return { ...readServer(name, expandVariables(entry, environment, at, variables), at, variables), namespace: name };
}

/** The name under which `holdfast install` enters the gateway in an agent's file. */
const INSTALLED_NAME = "holdfast";

const SERVING: Readonly<Record<string, readonly string[]>> = { holdfast: ["serve", "up"], metatools: ["serve"] };
/** Programs that start others, and their words for it. */
const LAUNCHERS: ReadonlySet<string> = new Set(
	"node nodejs bun bunx deno npx npm pnpm yarn exec dlx run x cmd env docker podman".split(" "),
);

/** Whether an agent's entry is for the gateway, which behind itself would start itself without end. */
function isGatewayEntry(server: Unplaced<ReachableSpec>): boolean {
	return server.kind === "stdio" ? startsGateway(server) : server.name === INSTALLED_NAME;
}

/** Whether a command starts a gateway. */
export function startsGateway(given: Pick<StdioSpec, "command" | "args">): boolean {
	const own = ownWords(given);
	return own !== undefined && (SERVING[own.program]?.includes(own.rest[0] ?? "") ?? false);
}

/**
 * Which of our programs a command starts, and with which arguments: directly, by its script under Node, or through
 * others that start programs, such as `cmd /c npx -y -p holdfast@latest holdfast`.
 */
export function ownWords({
	command,
	args,
}: Pick<StdioSpec, "command" | "args">): { readonly program: string; readonly rest: readonly string[] } | undefined {
	const words = [command, ...args];
	const end = words.findIndex((word) => !isLeading(word));
	const at = words.slice(0, end === -1 ? undefined : end).findLastIndex((word) => isOwn(programIn(word)));
	return at === -1 ? undefined : { program: programIn(words[at] ?? ""), rest: words.slice(at + 1) };
}

function isLeading(word: string): boolean {
	const program = programIn(word);
	return isOwn(program) || LAUNCHERS.has(program) || /^-|^\/[a-z]$|^\w+=/i.test(word);
}

function isOwn(program: string): boolean {
	return Object.hasOwn(SERVING, program);
}

/** Without its folder, its ending and its version. */
function programIn(word: string): string {
	return basename(word.replaceAll("\\", "/")).replace(/(?<=.)@.*$|\.(?:js|cmd|exe)$/, "");
}
