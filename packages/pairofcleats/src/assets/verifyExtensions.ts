import { existsSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawnCustody } from "libmcp";
import { messageOf } from "../contract/childMessage.ts";
import { CleatsError } from "../contract/errors.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";
import { findAssetFolder } from "./assetFolder.ts";
import { PROVIDER } from "./downloadExtensions.ts";

type Verdict = { readonly attempted: boolean; readonly ok: boolean; readonly reason?: string };
type Verified = {
	readonly provider: string;
	readonly file?: string;
	readonly installed: boolean;
	readonly load: Verdict;
	readonly smoke: Verdict;
};
type Tried = Pick<Verified, "load" | "smoke">;

const NOT_TRIED: Verdict = { attempted: false, ok: false };
const TRIAL = fileURLToPath(new URL(`./extensionTrial${extname(import.meta.url)}`, import.meta.url));

export const handler: ToolHandler<"verify_extensions"> = async (args, call) => {
	const folder = findAssetFolder(call.workspace.cacheRoot, "extensions", args.dir, "dir");
	const path = args.path === undefined ? installedIn(folder) : insideOf(folder, args.path);
	return { extensions: [await verify(path, args.load !== false, call.signal)] };
};

async function verify(path: string | undefined, load: boolean, signal: AbortSignal): Promise<Verified> {
	if (path === undefined || !existsSync(path))
		return { provider: PROVIDER, installed: false, load: NOT_TRIED, smoke: NOT_TRIED };
	const file = path.split("/").at(-1) ?? "";
	if (!load) return { provider: PROVIDER, file, installed: true, load: NOT_TRIED, smoke: NOT_TRIED };
	return { provider: PROVIDER, file, installed: true, ...(await tryOut(path, signal)) };
}

/** Runs in a separate process, because native code can crash the process that loads it. */
async function tryOut(path: string, signal: AbortSignal): Promise<Tried> {
	const trial = await spawnCustody(process.execPath, ["--disable-warning=ExperimentalWarning", TRIAL, path], {
		signal,
		stdio: ["ignore", "pipe", "ignore"],
	});
	let said = "";
	trial.child.stdout?.on("data", (chunk: Buffer) => {
		said += chunk.toString("utf8");
	});
	const exit = await trial.exited;
	await trial.end();
	signal.throwIfAborted();
	const reason = `loading it ended the process (${exit.signal ?? exit.code})`;
	return messageOf<Tried>(said) ?? { load: { attempted: true, ok: false, reason }, smoke: NOT_TRIED };
}

function installedIn(folder: string): string | undefined {
	if (!existsSync(folder)) return undefined;
	const file = readdirSync(folder).find((name) => /^vec0\.(?:so|dylib|dll)$/.test(name));
	return file === undefined ? undefined : join(folder, file);
}

function insideOf(folder: string, name: string): string {
	if (/^[\w][\w.-]*$/.test(name)) return join(folder, name);
	throw new CleatsError("FORBIDDEN", "path: expected the name of a file in the extensions folder", { field: "path" });
}
