#!/usr/bin/env node
// CommonJS, as the package.json beside it says: the loader of ES modules would hold up the server that the host starts.
require("../dist/fast/main.cjs").start();
