import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { failureText } from "libmcp/command";
import { checkServer, type UpstreamSpec } from "metatools/config";
import { readClientFile, readEntries } from "../clients/clientFile.ts";
import { CLIENT_IDS, CLIENTS, type Client, type Place } from "../clients/clientTable.ts";
import { translateEntry } from "../clients/importable.ts";
import { findSwitchedOff, toGatewayEntry } from "../clients/importServers.ts";
import { fromClientEntry, type ServerEntry } from "../clients/serverEntry.ts";
import { listSources, type Source } from "../clients/sources.ts";
import { unwrapCommand } from "../clients/wrapServers.ts";
import { type Finding, failFinding, passFinding, skipFinding, warnFinding } from "./finding.ts";

/** Connects to each server once, and returns a finding for each in the same order. */
export type TryServers = (servers: readonly UpstreamSpec[]) => Promise<readonly Finding[]>;

/** A finding, or a server that must be tried to get one. */
type Outcome = Finding | { readonly server: UpstreamSpec; readonly findingOf: (tried: Finding) => Finding };

/**
 * Checks Holdfast's entries in clients' files: that their commands still exist, since Node and checkouts get moved,
 * that the servers behind its hosts start, and that a gateway answers at the addresses that clients connect to.
 */
export async function checkClients(place: Place, ownName: string, tryServers: TryServers): Promise<Finding[]> {
	const outcomes = CLIENT_IDS.map((id) => CLIENTS[id]).flatMap((client) =>
		listSources(client, place).flatMap((source): Outcome[] => {
			try {
				const entries = Object.entries(readEntries(client, source.path, readClientFile(source.path) ?? "", source.key));
				return entries.flatMap(([name, value]) => outcomeOf({ client, source, place, name, value }, ownName));
			} catch (error) {
				return [warnFinding(client.id, failureText(error), `correct the file: ${client.title} cannot read it either`)];
			}
		}),
	);
	const tried = new Map(await triedOnce(outcomes, tryServers));
	const findings = outcomes.map((one) => {
		if (!("server" in one)) return one;
		const finding = tried.get(one.server);
		return finding === undefined ? undefined : one.findingOf(finding);
	});
	// A broken file with two lists is reported once.
	return findings
		.filter((one) => one !== undefined)
		.filter((one, at, all) => all.findIndex((other) => isDeepStrictEqual(one, other)) === at);
}

/** Tries a server that several clients have only once. */
async function triedOnce(outcomes: readonly Outcome[], tryServers: TryServers): Promise<[UpstreamSpec, Finding][]> {
	const servers = outcomes.flatMap((one) => ("server" in one ? [one.server] : []));
	const isSame = (one: UpstreamSpec, other: UpstreamSpec): boolean =>
		isDeepStrictEqual({ ...one, name: "", namespace: "" }, { ...other, name: "", namespace: "" });
	const firsts = servers.filter((server, at) => servers.findIndex((other) => isSame(server, other)) === at);
	const findings = firsts.length === 0 ? [] : await tryServers(firsts);
	return servers.flatMap((server): [UpstreamSpec, Finding][] => {
		const finding = findings[firsts.findIndex((first) => isSame(first, server))];
		return finding === undefined ? [] : [[server, finding]];
	});
}

type Listed = {
	readonly client: Client;
	readonly source: Source;
	readonly place: Place;
	readonly name: string;
	/** Its entry in the file. */
	readonly value: unknown;
};

function outcomeOf(listed: Listed, ownName: string): Outcome[] {
	const { client, source, name, value } = listed;
	const entry = fromClientEntry(client, value);
	const at = `${source.path}: ${name}`;
	if (entry?.kind === "url") return name === ownName ? [connection(listed, at, entry.url)] : [];
	const isWrapped = entry !== undefined && unwrapCommand(entry) !== undefined;
	if (entry === undefined || (name !== ownName && !isWrapped)) return [];
	const gone = [entry.command, ...entry.args.slice(0, 1)].find((word) => isAbsolute(word) && !existsSync(word));
	if (gone !== undefined) {
		const again = isWrapped
			? `holdfast wrap ${client.id} --undo, then without --undo`
			: `holdfast install ${client.id}`;
		return [failFinding(client.id, `${at} starts ${gone}, which does not exist`, again)];
	}
	if (!isWrapped) return [passFinding(client.id, `${at} starts the gateway`)];
	return [attempt(listed, `${at} has a host before it`, (says, tried) => ({ ...tried, subject: client.id, says }))];
}

/** Only a warning, because a gateway that is not running now need not be broken. */
function connection(listed: Listed, at: string, url: string): Outcome {
	const { client } = listed;
	// The query may contain a secret.
	const where = URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : "an address";
	const remedy = `holdfast up serves there while it runs; holdfast install ${client.id} starts a gateway instead, and with --url and --token connects to one that asks for a token`;
	return attempt(listed, `${at} connects to ${where}`, (says, tried) =>
		tried.verdict === "good" ? passFinding(client.id, says) : warnFinding(client.id, says, remedy),
	);
}

/** A server to try, or a finding that says why it is not tried. */
function attempt(listed: Listed, head: string, findingOf: (says: string, tried: Finding) => Finding): Outcome {
	const { client, source, place, name, value } = listed;
	const { scope } = source;
	try {
		// Agents ask before they start servers from a project's file, because the project's author wrote it.
		if (scope === "project") throw new Error("it is in a file of this folder, which may be another's");
		if (findSwitchedOff(client, place, scope, [])(name)) throw new Error(`it is switched off in ${client.title}`);
		const project = scope === "user" ? undefined : place.project;
		const entry = translateEntry(client, value, { place, project });
		return {
			server: specOf(`${name} of ${client.id}, ${scope}`, entry, source.key),
			findingOf: (tried) => findingOf(`${head}${tried.verdict === "good" ? "; " : ", but "}${tried.says}`, tried),
		};
	} catch (error) {
		return skipFinding(client.id, `${head}; not tried: ${failureText(error)}`);
	}
}

/** The server as its agent would start it. */
function specOf(name: string, entry: ServerEntry, key: readonly string[]): UpstreamSpec {
	const spec = checkServer(name, toGatewayEntry(entry), key.join("."), process.env);
	if (spec.kind !== "stdio") return spec;
	// Unlike the gateway, agents pass on their whole environment.
	const inherited = Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined);
	return { ...spec, protocol: "legacy", env: { ...Object.fromEntries(inherited), ...spec.env } };
}
