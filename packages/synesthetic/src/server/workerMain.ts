import { readSettings } from "../settings.ts";
import { serveDirect } from "./serveDirect.ts";

process.exit(await serveDirect(readSettings(), { hosted: true }));
