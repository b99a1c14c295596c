import { readSettings } from "../settings.ts";
import { serveWorker } from "./serve.ts";

process.exit(await serveWorker(readSettings()));
