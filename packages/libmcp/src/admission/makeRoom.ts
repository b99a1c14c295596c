/** A map or a set, whose keys come in the order of their arrival. */
type Kept<Key> = Pick<Map<Key, unknown>, "size" | "keys" | "delete">;

/** Makes room for one more by dropping the oldest, if there are as many as there may be; returns what was dropped. */
export function makeRoom<Key>(kept: Kept<Key>, most: number): Key | undefined {
	const [oldest] = kept.size >= most ? kept.keys() : [];
	if (oldest !== undefined) kept.delete(oldest);
	return oldest;
}
