// The command as it is built, without the bundle that starts sooner.
import { main } from "../../dist/cli/main.js";

await main(process.argv.slice(2));
