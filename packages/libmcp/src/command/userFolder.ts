import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

const KINDS = {
	config: { variable: "XDG_CONFIG_HOME", below: ".config" },
	cache: { variable: "XDG_CACHE_HOME", below: ".cache" },
	state: { variable: "XDG_STATE_HOME", below: join(".local", "state") },
} as const;

/** Our folder for one kind of user files. As XDG requires, a variable that is not an absolute path is ignored. */
export function userFolder(kind: keyof typeof KINDS, environment: Environment = process.env): string {
	const { variable, below } = KINDS[kind];
	const given = environment[variable];
	if (given !== undefined && isAbsolute(given)) return join(given, "holdfast");
	const home = homeFolder(environment);
	if (home === undefined) throw new Error(noHome(environment, ", or XDG_CONFIG_HOME and XDG_STATE_HOME"));
	return join(home, below, "holdfast");
}

/** The home folder, for files that can be nowhere else; throws when it is not known. */
export function neededHome(environment: Environment = process.env): string {
	const home = homeFolder(environment);
	if (home === undefined) throw new Error(noHome(environment));
	return home;
}

/** Undefined when `HOME` is empty or relative, as in some services and containers, and the user has no passwd entry. */
export function homeFolder(environment: Environment = process.env): string | undefined {
	const own = process.platform === "win32" ? undefined : environment.HOME;
	for (const find of [() => own ?? "", homedir, () => userInfo().homedir]) {
		try {
			const folder = find();
			if (isAbsolute(folder)) return folder;
		} catch {}
	}
	return undefined;
}

function noHome({ HOME }: Environment, otherwise = ""): string {
	const got = HOME === undefined ? "nothing" : JSON.stringify(HOME);
	return `HOME: expected this user's folder, got ${got}, and the system names none either; set it${otherwise}`;
}
