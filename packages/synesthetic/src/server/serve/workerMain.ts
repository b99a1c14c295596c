import { readSettings } from "../../settings.ts";
import { serveAsWorker } from "./serveAsWorker.ts";

process.exit(await serveAsWorker(readSettings()));
