import { suggestion } from "libmcp/command";
import type { Catalog } from "../catalog/catalog.ts";
import { compilePattern } from "../catalog/toolId.ts";
import type { Connection } from "./connect/connection.ts";
import type { ToolList } from "./listTools.ts";
import type { UpstreamSpec } from "./spec.ts";

type Offered = ToolList & Pick<Connection, "description" | "instructions">;

/** One server's part of the catalogue. It stays there while the server is away. */
export class ToolListing {
	#spec: UpstreamSpec;
	readonly #catalog: Catalog;
	#problems: readonly string[] = [];
	#last: Offered | undefined;
	#isOurs: boolean = true;

	constructor(spec: UpstreamSpec, catalog: Catalog) {
		this.#spec = spec;
		this.#catalog = catalog;
	}

	/** Messages about tools that could not be used, or that configuration names and the server does not have. */
	get problems(): readonly string[] {
		return this.#problems;
	}

	/** Reads the list and replaces the old one; returns the number of tools. */
	async read(connection: Connection): Promise<number> {
		const list = await connection.list();
		if (!this.#isOurs) return 0;
		this.#last = { ...list, description: connection.description, instructions: connection.instructions };
		return this.#offer(this.#last);
	}

	/** Chooses among the tools anew, as the changed entry says. */
	choose(spec: UpstreamSpec): void {
		this.#spec = spec;
		if (this.#isOurs && this.#last !== undefined) this.#offer(this.#last);
	}

	#offer({ definitions, problems, description, instructions }: Offered): number {
		const { name, namespace } = this.#spec;
		const wanted = definitions.filter((definition) => isWanted(definition.name, this.#spec));
		const names = definitions.map((definition) => definition.name);
		this.#problems = [...idleChoices(names, this.#spec), ...problems];
		this.#catalog.set({
			namespace,
			description,
			instructions,
			definitions: wanted,
			backendOf: () => ({ kind: "mcp", mcp: { serverName: name } }),
		});
		return wanted.length;
	}

	/** Another connection provides this namespace from now on. */
	leave(): void {
		this.#isOurs = false;
	}

	/** Removes the tools of a server that is no longer configured. */
	remove(): void {
		if (this.#isOurs) this.#catalog.remove(this.#spec.namespace);
		this.#isOurs = false;
	}
}

/** The words of `include` and `exclude` that choose nothing; a pattern may well exclude what is not there yet. */
function idleChoices(names: readonly string[], { include = [], exclude = [] }: UpstreamSpec): readonly string[] {
	const idle = (words: readonly string[]) => words.filter((word) => !names.some(compilePattern(word)));
	const missing = [
		...idle(include).map((word) => ["include", word] as const),
		...idle(exclude.filter((word) => !word.includes("*"))).map((word) => ["exclude", word] as const),
	];
	return missing.map(([setting, word]) => `${setting}: no tool is called ${word}${suggestion(word, names)}`);
}

/** Whether configuration lets a tool of this server be used, by the server's own name of it. */
export function isWanted(name: string, { include, exclude }: UpstreamSpec): boolean {
	const matches = (pattern: string) => compilePattern(pattern)(name);
	return (include === undefined || include.some(matches)) && exclude?.some(matches) !== true;
}
