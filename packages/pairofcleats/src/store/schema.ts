import { TRIGRAM_COUNT } from "../segment/trigrams.ts";

/**
 * Raised when the layout or meaning of stored data changes. An index of another version is rebuilt, with what users gave
 * it: the tables that `readUserData` reads keep their shape.
 */
export const INDEX_VERSION = 30;

// Terms have a rowid in insertion order, because appended pages are filled completely, while pages in key order are
// only three quarters full.
export const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE segments (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	state TEXT NOT NULL,
	docs INTEGER NOT NULL,
	dead BLOB NOT NULL,
	columns BLOB NOT NULL,
	names BLOB NOT NULL,
	qualifiedNames BLOB NOT NULL,
	signatures BLOB NOT NULL,
	files BLOB NOT NULL
);
CREATE TABLE terms (id INTEGER PRIMARY KEY, segment INTEGER NOT NULL, first TEXT NOT NULL, block BLOB NOT NULL);
CREATE UNIQUE INDEX terms_first ON terms (segment, first);
CREATE TABLE trigrams (id INTEGER PRIMARY KEY, block BLOB NOT NULL);
CREATE TABLE texts (id INTEGER PRIMARY KEY, block BLOB NOT NULL);
CREATE TABLE details (id INTEGER PRIMARY KEY, block BLOB NOT NULL);
CREATE TABLE vectors (segment INTEGER PRIMARY KEY, model TEXT NOT NULL, dims INTEGER NOT NULL,
	docs BLOB NOT NULL, data BLOB NOT NULL);
CREATE TABLE stats (path TEXT PRIMARY KEY, bytes INTEGER NOT NULL, mtime REAL NOT NULL, ctime REAL NOT NULL,
	inode INTEGER NOT NULL, state TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE lint (id INTEGER PRIMARY KEY, path TEXT NOT NULL, line INTEGER NOT NULL, rule TEXT NOT NULL,
	message TEXT NOT NULL, source TEXT NOT NULL);
CREATE INDEX lint_path ON lint (path, line);
`;

/** The key of a row of trigrams: its segment and its first trigram. */
export function makeTrigramKey(segment: number, trigram: number): number {
	return segment * TRIGRAM_COUNT + trigram;
}

/** Limit on a segment's file numbers, imposed by the row keys and the two-byte numbers in trigram lists. */
export const MOST_SEGMENT_FILES = 65_536;

/** The key of a row of texts or details: its segment and the position of its first file. */
export function makeFileKey(segment: number, ordinal: number): number {
	if (ordinal >= MOST_SEGMENT_FILES)
		throw new RangeError(`a segment holds ${MOST_SEGMENT_FILES} files, not ${ordinal + 1}`);
	return segment * MOST_SEGMENT_FILES + ordinal;
}
