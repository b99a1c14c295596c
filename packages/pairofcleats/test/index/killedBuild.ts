import { updateIndex } from "../../src/index/indexer.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";

/** A separate process to be killed: builds or updates the index of a folder. */
const [root = "", cacheRoot = "", threads = "1"] = process.argv.slice(2);
process.send?.("started");
await updateIndex({ root, folder: openIndexFolder(cacheRoot, root), threads: { count: Number(threads), model: null } });
process.disconnect?.();
