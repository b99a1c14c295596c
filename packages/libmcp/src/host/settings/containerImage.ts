/** The image or container that a `docker run` or `docker exec` names, without its tag; undefined when it names none. */
export function containerImage(args: readonly string[]): string | undefined {
	const verb = args.findIndex((arg) => arg === "run" || arg === "exec");
	if (verb === -1) return undefined;
	let at = verb + 1;
	for (let flag = args[at]; flag?.startsWith("-"); flag = args[at]) at += takesNextWord(flag) ? 2 : 1;
	return args[at]?.replace(TAG, "");
}

/** Only a few long flags take no value; in a group of short ones, only the last may take one. */
function takesNextWord(flag: string): boolean {
	if (flag.startsWith("--")) return !(flag.includes("=") || BARE.has(flag));
	return flag.slice(1).replace(BARE_LETTERS, "").length === 1;
}

const BARE: ReadonlySet<string> = new Set([
	"--detach",
	"--init",
	"--interactive",
	"--no-deps",
	"--no-healthcheck",
	"--no-TTY",
	"--privileged",
	"--publish-all",
	"--quiet",
	"--read-only",
	"--replace",
	"--rm",
	"--rmi",
	"--service-ports",
	"--sig-proxy",
	"--tty",
]);
const BARE_LETTERS = /^[diPqtT]+/;

/** A colon before a slash is a registry's port, not a tag. */
const TAG = /(?::[^/@]*)?(?:@.*)?$/;
