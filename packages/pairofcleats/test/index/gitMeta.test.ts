import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type GitMeta, readGitHeads, readGitMeta } from "../../src/index/gitMeta.ts";
import type { MetaKey } from "../../src/store/store.ts";

const NOTHING = { meta: () => undefined };

test("history updated commit by commit equals the history read at once, across edits, renames, merges and rewritten commits", {
	timeout: 120_000,
}, async (t) => {
	const root = mkdtempSync(join(tmpdir(), "cleats-meta-"));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	let seconds = 1_000;
	let seed = 11;
	const random = (below: number): number => {
		seed = (seed * 16_807) % 2_147_483_647;
		return seed % below;
	};
	const sh = (script: string): string =>
		execFileSync("sh", ["-c", script], {
			cwd: root,
			encoding: "utf8",
			stdio: ["ignore", "pipe", "ignore"],
			env: {
				PATH: process.env.PATH,
				GIT_CONFIG_GLOBAL: "/dev/null",
				GIT_AUTHOR_NAME: `Author ${random(3)}`,
				GIT_AUTHOR_EMAIL: "a@b.c",
				GIT_COMMITTER_NAME: "C",
				GIT_COMMITTER_EMAIL: "c@d.e",
				GIT_AUTHOR_DATE: `@${seconds} +0000`,
				GIT_COMMITTER_DATE: `@${seconds} +0000`,
			},
		});
	sh("git init -q -b main; seq 20 > f0; seq 30 50 > f1; git add .; git commit -qm first");
	const steps: readonly ((n: number) => string)[] = [
		() => `seq ${random(40)} > f${random(3)}`,
		(n) => `seq ${n} >> f${random(3)}`,
		() => `seq ${random(9)} > f${random(6)}`,
		(n) => `for f in f*; do git mv $f g${n}; break; done`,
		() => "for f in g*; do test -e $f && git mv -f $f f1; break; done",
		() => "for f in f*; do git rm -qf $f; break; done",
		() => "printf 'Renamed <a@b.c>\\n' >> .mailmap",
		(n) => `git checkout -q -b side${n} HEAD~1; seq ${n} > s${n}; git add .; git commit -qm side; git checkout -q main`,
		() => "git merge -q $(git for-each-ref --format='%(refname:short)' 'refs/heads/side*' | tail -1)",
		() => "git reset -q --hard HEAD~2",
	];
	const read = async (stored: Parameters<typeof readGitMeta>[2]): Promise<GitMeta> =>
		readGitMeta(root, await readGitHeads(root), stored);
	let known = await read(NOTHING);
	let brought = 0;
	for (let round = 0; round < 40; round++) {
		seconds += 10;
		const script = steps[random(steps.length)]?.(round) ?? "";
		sh(`{ echo ${round} >> busy; ${script}; } 2>/dev/null; git add -A; git commit -q --allow-empty -m round; true`);
		// Skips some commits, so that several are read at once.
		if (random(3) === 0) continue;
		const { head, historyMark, files } = known;
		const stored: Partial<Record<MetaKey, string>> = { head, historyMark, git: files };
		known = await read({ meta: (name) => stored[name] });
		const whole = await read(NOTHING);
		const tracked = sh("git ls-files").trim().split("\n");
		const of = (meta: GitMeta): unknown[] => tracked.map((path) => [path, JSON.parse(meta.files)[path]]);
		assert.deepEqual(of(known), of(whole), `round ${round}: ${script}`);
		brought += 1;
	}
	assert.ok(brought > 15);
});
