import type { RpcContext, Session } from "libmcp/serve";
import type { Workspace } from "../workspace/workspace.ts";

const PATIENCE_MS = 2_000;

/** Asks a client that supports roots for them before its first call, and again after it announces a change. */
export class DeclaredRoots {
	readonly #workspace: Workspace;
	readonly #known = new WeakMap<Session, Promise<void>>();

	constructor(workspace: Workspace) {
		this.#workspace = workspace;
	}

	async learn({ session, client }: Pick<RpcContext, "session" | "client">): Promise<void> {
		if (session === undefined || client.capabilities.roots === undefined) return;
		let asking = this.#known.get(session);
		if (asking === undefined) {
			asking = this.#ask(session).then((folders) => {
				// The answer to an earlier question may come after that to a later one.
				if (this.#known.get(session) === asking) this.#workspace.declare(folders);
			});
			this.#known.set(session, asking);
		}
		await asking;
		if (this.#known.get(session) !== asking) await this.learn({ session, client });
	}

	forget(session: Session | undefined): void {
		if (session !== undefined) this.#known.delete(session);
	}

	/** A client that does not answer counts as having no roots. */
	async #ask(session: Session): Promise<string[]> {
		try {
			return await foldersOf(await session.request("roots/list", undefined, AbortSignal.timeout(PATIENCE_MS)));
		} catch {
			return [];
		}
	}
}

async function foldersOf(answer: unknown): Promise<string[]> {
	const { normalizeLocation } = await import("libmcp");
	if (typeof answer !== "object" || answer === null || !("roots" in answer) || !Array.isArray(answer.roots)) return [];
	return answer.roots.flatMap((root: unknown) => {
		if (typeof root !== "object" || root === null || !("uri" in root) || typeof root.uri !== "string") return [];
		const folder = normalizeLocation("uri", root.uri);
		return folder.ok ? [folder.value] : [];
	});
}
