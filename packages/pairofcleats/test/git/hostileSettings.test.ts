import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { discoverFiles } from "../../src/discover/discoverFiles.ts";
import { listSettingsFiles } from "../../src/discover/lastingMarks.ts";
import { blameFiles, listTouchedFiles } from "../../src/git/blame.ts";
import { readHistory } from "../../src/git/gitHistory.ts";
import { askGitState } from "../../src/git/heads.ts";
import { readSubmoduleHeads } from "../../src/git/submodules.ts";

/** Every kind of setting by which git 2.x may start a program; `RUN` stands for a command that leaves a mark. */
const PROGRAM_SETTINGS = `
[core]
	fsmonitor = RUN
	hooksPath = HOOKS
	sshCommand = RUN
	askPass = SCRIPT
	editor = RUN
	pager = RUN
	gitProxy = SCRIPT
	alternateRefsCommand = RUN
[pager]
	log = RUN
	blame = RUN
	config = RUN
	rev-list = RUN
	ls-files = RUN
[alias]
	log = !RUN
	blame = !RUN
	config = !RUN
	ls-files = !RUN
	rev-list = !RUN
	rev-parse = !RUN
	merge-base = !RUN
	symbolic-ref = !RUN
[diff]
	external = SCRIPT
	tool = t
	guitool = t
[diff "shown"]
	command = SCRIPT
	textconv = SCRIPT
	cachetextconv = true
[diff "x=y"]
	command = SCRIPT
	textconv = SCRIPT
[difftool "t"]
	cmd = RUN
	path = SCRIPT
[merge]
	tool = t
[merge "shown"]
	driver = RUN
[mergetool "t"]
	cmd = RUN
	path = SCRIPT
[interactive]
	diffFilter = RUN
[sequence]
	editor = RUN
[credential]
	helper = !RUN
[credential "https://host.invalid"]
	helper = !RUN
[gpg]
	program = SCRIPT
[gpg "openpgp"]
	program = SCRIPT
[gpg "x509"]
	program = SCRIPT
[gpg "ssh"]
	program = SCRIPT
	defaultKeyCommand = RUN
[log]
	showSignature = true
[commit]
	gpgSign = true
[trailer "seen"]
	command = RUN
	cmd = RUN
[uploadpack]
	packObjectsHook = RUN
[remote "origin"]
	url = ext::SCRIPT
	uploadpack = SCRIPT
	receivepack = SCRIPT
	vcs = marker
	promisor = true
	partialclonefilter = blob:none
[remote "ssh"]
	url = ssh://host.invalid/x
	promisor = true
[remote "proxied"]
	url = git://host.invalid/x
	promisor = true
[remote "http"]
	url = https://host.invalid/x
	promisor = true
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[extensions]
	partialClone = origin
[submodule]
	recurse = true
[submodule "inner"]
	update = !RUN
	url = ext::SCRIPT
	active = true
[fetch]
	recurseSubmodules = true
[sendemail]
	tocmd = RUN
	ccCmd = RUN
	smtpServer = SCRIPT
[browser "b"]
	cmd = RUN
[man "m"]
	cmd = RUN
[web]
	browser = b
[guitool "g"]
	cmd = RUN
[instaweb]
	httpd = SCRIPT
[imap]
	tunnel = RUN
[gc]
	auto = 1
[maintenance]
	auto = true
[help]
	autoCorrect = immediate
`;

/** The names of filters as they stand between quotation marks in git's files, with bytes as they are. */
const FILTER_NAMES = ["plain", "x=y", "a.b", "=", "a=b.c=d", "UP per", 'q\\"q', "back\\\\slash", "caf\xe9", "\xc3\xa9"];

for (const name of FILTER_NAMES) {
	for (const key of ["clean", "smudge", "process"]) {
		test(`a filter's ${key} of the name ${JSON.stringify(name)} is not run, though git alone would`, async (t) => {
			const place = makePlace(t);
			const filter = `[filter "${name}"]\n\t${key} = ${place.script}\n\trequired = true\n`;
			appendFileSync(join(place.root, ".git/config"), Buffer.from(filter, "latin1"));
			const attribute = `*.ts filter=${name.replaceAll("\\\\", "\\")}\n`;
			writeFileSync(join(place.root, ".git/info/attributes"), Buffer.from(attribute, "latin1"));
			if (key !== "smudge" && !/[ "\\]/.test(name)) {
				place.plainGit("blame", "a.ts");
				assert.ok(place.hasRun(), "the mark is left by a git that is told nothing");
			}
			rmSync(place.mark, { force: true });
			await callAll(place.root);
			assert.equal(place.hasRun(), false);
		});
	}
}

verifies("001-git-runs-nothing", "no setting that can name a program makes any git call of ours run one", async (t) => {
	const place = makePlace(t);
	const text = PROGRAM_SETTINGS.replaceAll("RUN", place.script)
		.replaceAll("SCRIPT", place.script)
		.replaceAll("HOOKS", place.hooks);
	for (const outer of [".git/config", "included"]) {
		if (outer === "included") {
			// Settings may come from other files too.
			writeFileSync(
				join(place.root, ".git/config"),
				"[core]\n\trepositoryformatversion = 1\n[include]\n\tpath = more\n",
			);
			writeFileSync(join(place.root, ".git/more"), `[includeIf "gitdir:**"]\n\tpath = most\n`);
			writeFileSync(join(place.root, ".git/most"), text);
		} else appendFileSync(join(place.root, outer), text);
		for (const control of [
			["status"],
			["show", "--ext-diff", "HEAD", "--", "a.ts"],
			["blame", "a.ts"],
			["fetch", "origin"],
			["fetch", "ssh"],
			["fetch", "proxied"],
			["commit", "--allow-empty", "-m", "x"],
		]) {
			place.plainGit(...control);
			assert.ok(place.hasRun(), `git ${control.join(" ")} of its own leaves the mark`);
			rmSync(place.mark);
		}
		await callAll(place.root);
		assert.equal(place.hasRun(), false, outer);
	}
});

test("a file that a partial clone lacks is not fetched, nor by a git that knows no way to be told so", async (t) => {
	const place = makePlace(t);
	const missing = place.plainGit("rev-parse", "HEAD~1:a.ts");
	rmSync(join(place.root, ".git/objects", missing.slice(0, 2), missing.slice(2)));
	const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
	const older = `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec '${real}' "$@"\n`;
	for (const url of [`ext::${place.script}`, "ssh://host.invalid/x", "git://host.invalid/x", place.root, "marker::x"]) {
		for (const isOlder of [false, true]) {
			writeFileSync(
				join(place.root, ".git/config"),
				`[core]\n\trepositoryformatversion = 1\n\tsshCommand = ${place.script}\n\tgitProxy = ${place.script}\n` +
					`\talternateRefsCommand = ${place.script}\n\thooksPath = ${place.hooks}\n[extensions]\n\tpartialClone = origin\n` +
					`[remote "origin"]\n\turl = ${url}\n\tpromisor = true\n\tuploadpack = ${place.script}\n` +
					"[protocol]\n\tallow = always\n",
			);
			place.plainGit("cat-file", "-p", missing);
			if (!url.startsWith("marker")) assert.ok(place.hasRun(), `git alone fetches from ${url}`);
			rmSync(place.mark, { force: true });
			if (isOlder) usePrograms(t, place.base, older);
			await callAll(place.root);
			assert.equal(place.hasRun(), false, url);
		}
	}
});

test("a program called git in the repository is not run, though the path has a relative folder", async (t) => {
	const place = makePlace(t);
	writeFileSync(join(place.root, "git"), `#!/bin/sh\ntouch '${place.mark}'\n`, { mode: 0o755 });
	const { PATH = "" } = process.env;
	t.after(() => {
		process.env.PATH = PATH;
	});
	process.env.PATH = ["", ".", "./bin", PATH].join(delimiter);
	await callAll(place.root);
	assert.equal(place.hasRun(), false);
	assert.equal((await askGitState(place.root))?.branch, "main");
});

test("a file that names settings of a repository among its files is not taken for one", async (t) => {
	const place = makePlace(t);
	const bare = join(place.root, "bare");
	mkdirSync(join(bare, "refs"), { recursive: true });
	mkdirSync(join(bare, "objects"));
	writeFileSync(join(bare, "HEAD"), "ref: refs/heads/main\n");
	writeFileSync(join(bare, "config"), `[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${place.script}\n`);
	writeFileSync(join(bare, "b.ts"), "1\n");
	await callAll(bare);
	assert.equal(place.hasRun(), false);
});

/** All that runs git, as a build of the index with authors of lines does. */
async function callAll(root: string): Promise<void> {
	await discoverFiles(root).catch(() => undefined);
	const state = await askGitState(root);
	await readHistory(root);
	const before = "0123456789abcdef0123456789abcdef01234567";
	for (const since of [state?.head || before, before]) {
		await readHistory(root, { since });
		await listTouchedFiles(root, since, before);
	}
	const blame = blameFiles(root);
	for (const file of ["a.ts", "b.md"]) await blame(file);
	await readSubmoduleHeads(root, ["inner", ""]);
	await listSettingsFiles(root);
}

type Place = {
	readonly base: string;
	readonly root: string;
	readonly mark: string;
	/** A program that leaves the mark. */
	readonly script: string;
	readonly hooks: string;
	hasRun(): boolean;
	/** Runs git with nothing of ours around it; its failures do not matter. */
	plainGit(...args: readonly string[]): string;
};

function makePlace(t: TestContext): Place {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "cleats-hostile-")));
	t.after(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
	const [root, mark, bin, hooks] = [join(base, "root"), join(base, "mark"), join(base, "bin"), join(base, "hooks")];
	for (const folder of [root, bin, hooks]) mkdirSync(folder);
	const script = join(bin, "script");
	const text = `#!/bin/sh\ntouch '${mark}'\nexit 1\n`;
	for (const name of ["script", "git-remote-marker"]) writeFileSync(join(bin, name), text, { mode: 0o755 });
	for (const name of [
		"post-index-change",
		"pre-commit",
		"reference-transaction",
		"fsmonitor-watchman",
		"post-checkout",
	])
		writeFileSync(join(hooks, name), text, { mode: 0o755 });
	chmodSync(script, 0o755);
	const env = {
		PATH: `${bin}${delimiter}${process.env.PATH}`,
		HOME: base,
		GIT_CONFIG_NOSYSTEM: "1",
		GIT_AUTHOR_NAME: "Ada",
		GIT_AUTHOR_EMAIL: "a@b.c",
		GIT_COMMITTER_NAME: "Ada",
		GIT_COMMITTER_EMAIL: "a@b.c",
	};
	const plainGit = (...args: readonly string[]): string => {
		try {
			return execFileSync("git", args, { cwd: root, env, stdio: "pipe", encoding: "utf8", timeout: 20_000 }).trim();
		} catch {
			return "";
		}
	};
	plainGit("init", "-q", "-b", "main");
	for (const round of ["1", "2"]) {
		writeFileSync(join(root, "a.ts"), `${round}\n`.repeat(3));
		writeFileSync(join(root, "b.md"), `${round}\n`);
		writeFileSync(join(root, ".gitattributes"), "*.ts diff=shown merge=shown\n*.md diff=x=y\n");
		plainGit("add", ".");
		plainGit("commit", "-qm", round);
	}
	// Edited, so that blame compares it with what is committed.
	writeFileSync(join(root, "a.ts"), "edited\n");
	return { base, root, mark, script, hooks, plainGit, hasRun: () => existsSync(mark) };
}

function usePrograms(t: TestContext, base: string, git: string): void {
	const folder = join(base, "programs");
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "git"), git, { mode: 0o755 });
	const { PATH = "" } = process.env;
	process.env.PATH = `${folder}${delimiter}${PATH}`;
	t.after(() => {
		process.env.PATH = PATH;
	});
}
