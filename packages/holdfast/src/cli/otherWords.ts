/** Names Holdfast's counterpart to a command that people know from other tools. */
export function insteadOf(word: string): string | undefined {
	return INSTEAD.find(({ words }) => words.includes(word))?.says;
}

const INSTEAD: readonly { readonly words: readonly string[]; readonly says: string }[] = [
	{
		words: ["upgrade", "update", "restart", "reload", "redeploy"],
		says: "holdfast rollout <name> starts a server anew without losing a call",
	},
	{
		words: ["start", "run", "dev", "console", "ui", "web", "dashboard"],
		says: "holdfast up serves the gateway and the console",
	},
	{ words: ["stop", "down", "kill", "quit"], says: "Ctrl-C stops it where it runs" },
	{ words: ["ls", "list", "ps", "top", "servers"], says: "holdfast status shows what runs" },
	{
		words: ["add", "rm", "remove", "delete", "config", "init"],
		says: "servers are added and removed in the configuration, whose file holdfast doctor names",
	},
	{
		words: ["enable", "disable"],
		says: 'a server is switched off by "disabled": true in its entry of the configuration, whose file holdfast doctor names',
	},
	{ words: ["tools", "call"], says: "metatools tools finds, describes and runs the tools of your servers" },
	{ words: ["setup", "connect", "link"], says: "holdfast install <client> connects a coding agent" },
	{ words: ["disconnect", "unlink"], says: "holdfast uninstall <client> takes it out of a coding agent" },
	{ words: ["unwrap"], says: "holdfast wrap <client> --undo takes the hosts out again" },
	{ words: ["check", "health", "test", "diagnose", "validate"], says: "holdfast doctor checks every server" },
	{ words: ["tail", "trace", "events"], says: "holdfast logs <name> tells what a server did" },
	{ words: ["auth", "signin"], says: "holdfast login <server> logs in" },
	{ words: ["trust", "allow"], says: "holdfast approve lets changed tools run again" },
	{ words: ["proxy", "exec", "supervise"], says: "holdfast host -- <command> keeps a server alive" },
	{ words: ["gateway", "mcp", "stdio"], says: "holdfast serve is the gateway on standard input and output" },
	{ words: ["search", "index"], says: "code is searched by pairofcleats" },
];
