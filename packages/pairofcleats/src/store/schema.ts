import { TRIGRAM_COUNT } from "../segment/trigrams.ts";

/** Raised when the layout or the meaning of stored data changes; an index of another version is built anew. */
export const INDEX_VERSION = 17;

// Terms are numbered as they come: pages that grow at their end are filled, those of rows by key only to three quarters.
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
CREATE TABLE stats (path TEXT PRIMARY KEY, bytes INTEGER NOT NULL, mtime REAL NOT NULL, inode INTEGER NOT NULL,
	state TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE lint (id INTEGER PRIMARY KEY, path TEXT NOT NULL, line INTEGER NOT NULL, rule TEXT NOT NULL,
	message TEXT NOT NULL, source TEXT NOT NULL);
CREATE INDEX lint_path ON lint (path, line);
`;

/** Rows of trigrams are numbered by segment and the first trigram in them. */
export function trigramKey(segment: number, trigram: number): number {
	return segment * TRIGRAM_COUNT + trigram;
}

/** Files of a segment are numbered below this: by their rows, and by two bytes in lists of trigrams. */
export const MOST_SEGMENT_FILES = 65_536;

/** Rows of texts and details are numbered by segment and the position in it of the first file in them. */
export function fileKey(segment: number, ordinal: number): number {
	if (ordinal >= MOST_SEGMENT_FILES)
		throw new RangeError(`a segment holds ${MOST_SEGMENT_FILES} files, not ${ordinal + 1}`);
	return segment * MOST_SEGMENT_FILES + ordinal;
}
