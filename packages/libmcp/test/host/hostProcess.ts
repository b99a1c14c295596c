// A process that is only a host: its arguments are the options as JSON.
import { host } from "../../src/host/host.ts";
import type { HostOptions } from "../../src/host/options.ts";

const running = host({ ...(JSON.parse(process.argv[2] ?? "{}") as HostOptions), signals: true });
await running.closed;
process.exit(0);
