// The built command, without the bundle that starts faster.
import { main } from "../../dist/cli/main.js";

await main(process.argv.slice(2));
