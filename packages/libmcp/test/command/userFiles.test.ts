import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findHome, findUserFolder, makeFolder } from "../../src/command/folders.ts";
import { readIfPresent, replaceFile } from "../../src/command/replaceFile.ts";

const folder = mkdtempSync(join(tmpdir(), "user-files-"));
test.after(() => rmSync(folder, { recursive: true, force: true }));

test("a user's folder is where XDG says, if that is absolute, else in the home folder", () => {
	assert.equal(findUserFolder("state", { HOME: "/home/a", XDG_STATE_HOME: "/state" }), "/state/holdfast");
	assert.equal(findUserFolder("config", { HOME: "/home/a", XDG_CONFIG_HOME: "here" }), "/home/a/.config/holdfast");
	assert.equal(findUserFolder("state", { HOME: "/home/a", XDG_STATE_HOME: "" }), "/home/a/.local/state/holdfast");
	// Where the variable tells nothing the system is asked.
	for (const HOME of ["", "relative"]) assert.equal(findHome({ HOME }), homedir());
});

test("only what is missing counts as absent; what cannot be read is an error", () => {
	assert.equal(
		readIfPresent(() => readFileSync(join(folder, "none"), "utf8")),
		undefined,
	);
	assert.throws(() => readIfPresent(() => readFileSync(folder, "utf8")), { code: "EISDIR" });
});

/** Runs it as a user whom the system does not know. */
function asNobody(code: string, environment: NodeJS.ProcessEnv) {
	const source = JSON.stringify(new URL("../../dist/command.js", import.meta.url).href);
	return spawnSync(process.execPath, ["-e", `import(${source}).then(async (command) => { ${code} })`], {
		...{ uid: 65_533, gid: 65_533, env: environment, cwd: "/", encoding: "utf8" },
	});
}
const canBeNobody = process.getuid?.() === 0 && asNobody("", {}).status === 0;

test("a user without a home is told what to set, unless what is asked for is elsewhere", {
	skip: canBeNobody ? false : "needs the right to be another user who may read this checkout",
}, () => {
	const say = (expression: string) => `try { console.log(${expression}) } catch (error) { console.log(error.message) }`;
	const both = "HOME: expected this user's folder, got nothing, and the system names none either; set it";
	assert.equal(asNobody(say("command.neededHome()"), {}).stdout, `${both}\n`);
	const or = `${both}, or XDG_CONFIG_HOME and XDG_STATE_HOME\n`;
	assert.equal(asNobody(say('command.userFolder("state")'), {}).stdout, or);
	assert.equal(asNobody(say('command.userFolder("state")'), { HOME: "x" }).stdout, or.replace("nothing", '"x"'));
	assert.equal(asNobody(say('command.userFolder("state")'), { XDG_STATE_HOME: "/s" }).stdout, "/s/holdfast\n");
});

test("whoever replaces a file may look at it at the last moment, and leave it as another has just written it", () => {
	const path = join(folder, "looked", "file.json");
	replaceFile(path, "one");
	const look = (): void => {
		writeFileSync(path, "another's");
		throw new Error("it has changed");
	};
	assert.throws(() => replaceFile(path, "two", undefined, look), { message: "it has changed" });
	assert.equal(readFileSync(path, "utf8"), "another's");
	assert.deepEqual(readdirSync(join(folder, "looked")), ["file.json"]);
});

test("a file is replaced whole, and one that cannot be is named and leaves nothing beside it", () => {
	const path = join(folder, "deep", "file.json");
	replaceFile(path, "one", 0o600);
	replaceFile(path, "two");
	assert.equal(readFileSync(path, "utf8"), "two");
	assert.equal(statSync(path).mode & 0o777, 0o600);
	// No file may grow: what a full disk does, without one.
	const source = JSON.stringify(new URL("../../src/command/replaceFile.ts", import.meta.url).href);
	const code = `import(${source}).then(({ replaceFile }) => replaceFile(${JSON.stringify(path)}, "three"))`;
	const limited = [
		"-c",
		'ulimit -f 0; exec "$0" --disable-warning=ExperimentalWarning -e "$1"',
		process.execPath,
		code,
	];
	const { stderr } = spawnSync("sh", limited, { encoding: "utf8" });
	assert.match(stderr, new RegExp(`Error: EFBIG: file too large, write '${path}'`));
	assert.deepEqual(readdirSync(join(folder, "deep")), ["file.json"]);
	assert.equal(readFileSync(path, "utf8"), "two");
});

test("what a killed process left beside a file goes with the next change, and what may be in use stays", () => {
	const path = join(folder, "left", "file.json");
	replaceFile(path, "one");
	const gone = spawnSync(process.execPath, ["-e", ""]).pid;
	const long = new Date(Date.now() - 3_600_000);
	const beside = [`file.json.${gone}.new`, `file.json.${process.ppid}.new`, `other.json.${gone}.new`, "file.json.new"];
	for (const name of beside) {
		writeFileSync(join(folder, "left", name), "{}");
		utimesSync(join(folder, "left", name), long, long);
	}
	replaceFile(path, "two");
	assert.deepEqual(readdirSync(join(folder, "left")).toSorted(), ["file.json", ...beside.slice(1)].toSorted());
	writeFileSync(join(folder, "left", `file.json.${gone}.new`), "just written");
	replaceFile(path, "three");
	assert.ok(readdirSync(join(folder, "left")).includes(`file.json.${gone}.new`));
});

test("a folder that cannot be made is told with the one that stands in the way", () => {
	makeFolder(join(folder, "a", "b"), 0o700);
	makeFolder(join(folder, "a", "b"));
	assert.equal(statSync(join(folder, "a")).mode & 0o777, 0o700);
	writeFileSync(join(folder, "file"), "");
	assert.throws(() => makeFolder(join(folder, "file", "x")), {
		message: `${join(folder, "file")}: it is a file, where a folder is needed`,
	});
	// The kernel's own folder takes none of ours, whoever asks.
	assert.throws(() => makeFolder("/proc/self/none/of/ours"), { path: "/proc/self/none" });
});
