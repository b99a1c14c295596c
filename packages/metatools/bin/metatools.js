#!/usr/bin/env node
// CommonJS, as the package.json beside it says: the loader of ES modules would hold up a server's first answer.
require("../dist/fast/main.cjs").start();
