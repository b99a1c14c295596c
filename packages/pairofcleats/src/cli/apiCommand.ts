import { EXIT } from "./exit.ts";
export async function command(): Promise<number> {
	return EXIT.failed;
}
