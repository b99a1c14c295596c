#!/usr/bin/env node
import { launch } from "libmcp/launch";

await launch(new URL("../dist/cli/main.js", import.meta.url));
