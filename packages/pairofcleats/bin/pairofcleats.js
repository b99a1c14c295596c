#!/usr/bin/env node
// CommonJS, as the package.json beside it says: the loader of ES modules would hold up a server's first answer.
const { statSync } = require("node:fs");
const { join } = require("node:path");

const time = (file) => statSync(join(__dirname, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const bundled = time("../dist/fast/main.cjs");
// The bundle starts faster; a build that came after it wins.
const isCurrent =
	bundled > 0 && ["../dist/.tsbuildinfo", "../../libmcp/dist/.tsbuildinfo"].every((build) => time(build) <= bundled);
const fast = isCurrent ? require("../dist/fast/main.cjs") : undefined;

if (fast?.isNewEnough()) fast.start();
else {
	const { pathToFileURL } = require("node:url");
	void import("libmcp/launch").then(({ launch }) => launch(pathToFileURL(join(__dirname, "../dist/cli/main.js"))));
}
