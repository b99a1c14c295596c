import { dirname, join, resolve } from "node:path";
import { gitHomes } from "../contract/environment.ts";
import { QUICK, runGit } from "../git/runGit.ts";

/**
 * The files outside a repository that affect what git ignores in it: the active settings files and the user's ignore
 * file. `undefined` if the result depends on more than files.
 */
export async function gitSettings(root: string): Promise<readonly string[] | undefined> {
	const homes = gitHomes();
	if (homes === undefined) return undefined;
	const { home, config } = homes;
	let text = "";
	const outcome = await runGit(root, ["config", "--list", "--show-origin", "-z"], {
		patience: QUICK,
		onOutput: (chunk) => {
			text += chunk.toString("utf8");
		},
	});
	if (outcome.kind !== "done" || outcome.code !== 0) return undefined;
	// Includes the standard files, even if they do not exist yet.
	const files = new Set(["/etc/gitconfig", join(home, ".gitconfig"), join(config, "git", "config")]);
	let ignoreFile = join(config, "git", "ignore");
	const parts = text.split("\0");
	for (let at = 0; at + 1 < parts.length; at += 2) {
		const [origin = "", setting = ""] = [parts[at], parts[at + 1]];
		const [name = "", value = ""] = setting.split("\n", 2);
		const from = origin.startsWith("file:") ? resolve(root, origin.slice("file:".length)) : undefined;
		if (from !== undefined) files.add(from);
		if (/^includeif\./i.test(name)) return undefined;
		const place = value.replace(/^~(?=\/)/, home);
		if (/^core\.excludesfile$/i.test(name)) ignoreFile = place;
		if (!/^include\.path$/i.test(name)) continue;
		// It need not exist yet, and then git tells no settings of it.
		if (from === undefined || /^[~%]/.test(place)) return undefined;
		files.add(resolve(dirname(from), place));
	}
	return ignoreFile.startsWith("/") ? [...files, ignoreFile] : undefined;
}
