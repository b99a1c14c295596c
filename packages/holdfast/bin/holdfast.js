#!/usr/bin/env node
import { statSync } from "node:fs";
import { launch } from "libmcp/launch";

const time = (url) => statSync(url, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const bundle = new URL("../dist/fast/main.js", import.meta.url);
const builds = [
	new URL("../dist/.tsbuildinfo", import.meta.url),
	new URL("./.tsbuildinfo", import.meta.resolve("libmcp/launch")),
];

// The bundle starts faster; a build that came after it wins.
const isCurrent = time(bundle) > 0 && builds.every((build) => time(build) <= time(bundle));
await launch(isCurrent ? bundle : new URL("../dist/cli/main.js", import.meta.url));
