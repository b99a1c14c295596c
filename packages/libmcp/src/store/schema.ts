/** One step of the file's schema. A step is never changed once released; what must change later is a new step. */
export type Migration = {
	/** The oldest program that reads files of this step. */
	readonly program: string;
	readonly sql: string;
};

/** Every step, oldest first; a file's version is the number of steps it has had. */
export const MIGRATIONS: readonly Migration[] = [
	{
		program: "1.1.0",
		sql: `
			CREATE TABLE row (
				kind TEXT NOT NULL, owner TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, sum INTEGER NOT NULL,
				PRIMARY KEY (kind, owner, key)
			);
			CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
		`,
	},
];

/** Marks the file as a store of ours: "hfst" in ASCII. */
export const APPLICATION_ID = 0x68667374;
