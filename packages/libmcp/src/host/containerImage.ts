/** The image, or the container, that a `docker run` or `docker exec` names, without its tag; undefined when there is none. */
export function containerImage(args: readonly string[]): string | undefined {
	const verb = args.findIndex((arg) => arg === "run" || arg === "exec");
	if (verb === -1) return undefined;
	let at = verb + 1;
	for (let flag = args[at]; flag?.startsWith("-"); flag = args[at]) at += takesNextWord(flag) ? 2 : 1;
	return args[at]?.replace(TAG, "");
}

/** Of a flag written out only a few have no value; of letters in one word the last may have one. */
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

/** Not the port of a registry, which comes before a slash. */
const TAG = /(?::[^/@]*)?(?:@.*)?$/;
