import { visible } from "./visible.ts";

/** A path whose folders stay in their order, whichever way the letters of each of them run. */
export function Path({ path }: { path: string }) {
	return (
		<>
			{path.split(/(?<=\/)/).map((part, place) => (
				<bdi key={place} dir="ltr">
					{visible(part)}
				</bdi>
			))}
		</>
	);
}
