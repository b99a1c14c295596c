import type { CodeLanguage } from "../engine.ts";
import type { PreparedScript } from "../prepareScript.ts";
import type { RunSession } from "../runSession.ts";
import { lentSlot } from "../wasm/lentSlot.ts";
import type { WorkerPool } from "../wasm/workerPool.ts";

/** Parses hostile text in a thread that can be killed, like the WASM sandbox. Undefined when the run ended meanwhile. */
export async function prepareInWorker(
	pool: WorkerPool,
	session: RunSession,
	language: CodeLanguage,
	code: string,
): Promise<string | undefined> {
	const slot = await lentSlot(pool, session);
	if (slot === undefined) return undefined;
	const answer = Promise.withResolvers<PreparedScript | undefined>();
	slot.hold({
		onMessage: (message) => {
			if (message.from === "prepared") answer.resolve(message.prepared);
		},
		onDeath: () => answer.resolve(undefined),
	});
	void session.over.then(() => answer.resolve(undefined));
	session.prepare();
	slot.post({ to: "prepare", language, code });
	const prepared = await answer.promise;
	pool.release(slot, prepared !== undefined && (prepared.ok || prepared.hasTrapped !== true));
	if (prepared?.ok === false) session.receive({ kind: "syntax", text: JSON.stringify(prepared) });
	else if (prepared === undefined) session.fail("crashed", "The code could not be parsed.");
	if (prepared?.ok !== true) return undefined;
	session.began(prepared.insertions);
	return prepared.script;
}
