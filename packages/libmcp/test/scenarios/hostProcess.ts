// A host in a process of its own, for tests that signal or kill it: hostProcess.ts <HostOptions as JSON>
import { host } from "../../src/control/host.ts";
import { keepNurserySmall } from "../../src/process/ownProcess.ts";

const running = host({ ...JSON.parse(process.argv[2] ?? "{}"), signals: true });
keepNurserySmall();
await running.closed;
process.exit(0);
