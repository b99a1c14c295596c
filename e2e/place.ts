import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A newcomer's machine: an empty home and a small repository, both gone afterwards. */
export type Place = {
	readonly folder: string;
	readonly repository: string;
	/** The gateway's configuration where Holdfast looks for it. */
	readonly configFile: string;
	readonly environment: NodeJS.ProcessEnv;
	/** Processes that were started with this home, with their command lines. */
	living(): readonly LivingProcess[];
	remove(): void;
};

export type LivingProcess = { readonly pid: number; readonly command: string };

export function newPlace(): Place {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-place-")));
	const home = join(folder, "home");
	const repository = join(folder, "repository");
	const config = join(home, ".config", "holdfast");
	for (const one of [config, repository]) mkdirSync(one, { recursive: true });
	for (const [name, text] of Object.entries(FILES)) writeFileSync(join(repository, name), text);
	const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: repository, stdio: "ignore" });
	git("init", "-q");
	git("add", ".");
	git("-c", "user.name=newcomer", "-c", "user.email=newcomer@localhost", "commit", "-q", "-m", "Begin");
	// Only what a login shell would give it: nothing of the test run's own settings.
	const environment = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, NO_COLOR: "1" };
	return {
		folder,
		repository,
		configFile: join(config, "metatools.json"),
		environment,
		living: () => startedWith(`HOME=${home}`),
		remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
	};
}

const FILES: Readonly<Record<string, string>> = {
	"lantern.ts": `/** Lights the lantern at dusk. */
export function lightLantern(wick: string): string {
	return \`\${wick} burns\`;
}
`,
	"harbour.py": `def moor_ship(name, berth):
    """Ties a ship to its berth."""
    return {"ship": name, "berth": berth}
`,
	"README.md": "# Harbour\n\nShips are moored at dusk, when the lantern is lit.\n",
};

// A process keeps the home it was started with wherever it goes, and servers are given no other mark of ours.
function startedWith(mark: string): LivingProcess[] {
	return readdirSync("/proc").flatMap((name) => {
		if (!/^\d+$/.test(name)) return [];
		try {
			if (!readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(mark)) return [];
			const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
			return [{ pid: Number(name), command }];
		} catch {
			return []; // It ended while it was read, or is another user's.
		}
	});
}
