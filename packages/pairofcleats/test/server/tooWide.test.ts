import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type TestWorkspace, workspaceOf } from "../tools/workspace.ts";
import { at, envelopeOf, PROGRAM, serve } from "./serving.ts";

// The folder with a test's repository and cache is the home folder of its processes.
const env = ({ base, cacheRoot }: TestWorkspace): NodeJS.ProcessEnv => ({
	PATH: process.env.PATH,
	HOME: base,
	PAIROFCLEATS_CACHE_ROOT: cacheRoot,
});

test("a command started in the home folder or the root folder does not index it unasked", async (t) => {
	const space = await workspaceOf(t, undefined, { indexed: false });
	const ran = (cwd: string, ...argv: string[]) => {
		const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...argv], {
			cwd,
			env: env(space),
			encoding: "utf8",
			timeout: 120_000,
		});
		return { status, stdout, stderr };
	};
	for (const [cwd, what] of [
		[space.base, "the home folder"],
		["/", "the disk's root"],
	] as const) {
		for (const argv of [["search", "openSession"], ["bootstrap"]])
			assert.deepEqual(
				ran(cwd, ...argv),
				{
					status: 2,
					stdout: "",
					stderr: `pairofcleats: --repo: expected a repository, got nothing, and ${cwd} is ${what}; change to a project's folder, or name this one to mean it\n`,
				},
				argv.join(" "),
			);
		assert.equal(ran(cwd, "extensions", "verify").status, 0);
	}
	assert.equal(existsSync(space.cacheRoot), false);
	assert.match(ran(space.base, "search", "openSession", "--repo", ".", "--compact").stdout, /repo\/src\/session\.ts/);
	mkdirSync(join(space.base, ".git"));
	assert.equal(ran(space.base, "search", "openSession").status, 0);
});

test("a server started in the home folder asks for a repository, or uses its client's root", async (t) => {
	const space = await workspaceOf(t);
	const refusal =
		"repoPath: expected a repository, got nothing, and the server was started in the home folder; " +
		"name one in repoPath, or start the server with --repo";
	const search = { query: "openSession" };
	const { client } = await serve(t, space, { alone: true, env: { HOME: space.base } });
	let roots: { uri: string }[] = [];
	client.onRequest = (method) => (method === "roots/list" ? { roots } : undefined);
	const ask = async (name: string, args: Record<string, unknown>) => envelopeOf(await client.call(name, args));
	const alone = await ask("search", search);
	assert.equal(at(alone, "/error/code"), "INVALID_REQUEST");
	assert.equal(at(alone, "/error/message"), refusal);
	assert.deepEqual(at(await ask("workspace_status", {}), "/result/repositories"), []);
	const named = await ask("search", { ...search, repoPath: space.root });
	assert.equal(at(named, "/result/search/hits/0/path"), "src/session.ts");
	roots = [space.base, space.root].map((root) => ({ uri: pathToFileURL(root).href }));
	client.notify("notifications/roots/list_changed");
	const opened = await ask("search", search);
	assert.equal(at(opened, "/result/search/hits/0/path"), "src/session.ts");
	assert.equal(at(opened, "/result/repo"), "repo");
	assert.equal(at(await ask("workspace_status", {}), "/result/repositories/0/repo"), "repo");

	const api = await startApi(t, space);
	const posted = await fetch(`${api}/search`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(search),
	});
	assert.equal(posted.status, 400);
	assert.equal(at(await posted.json(), "/error/message"), refusal);
	assert.equal((await fetch(`${api}/status?repo=${encodeURIComponent(space.root)}`)).status, 200);
});

async function startApi(t: TestContext, space: TestWorkspace): Promise<string> {
	const child = spawn(process.execPath, [PROGRAM, "api", "--port", "0"], {
		cwd: space.base,
		env: env(space),
		stdio: ["ignore", "pipe", "ignore"],
	});
	const exited = once(child, "exit");
	t.after(async () => {
		child.kill("SIGTERM");
		await exited;
	});
	const [said] = await once(child.stdout, "data");
	return String(said).trim().replace("pairofcleats api: ", "");
}
