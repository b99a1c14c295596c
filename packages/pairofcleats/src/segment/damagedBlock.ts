/** Bytes of an index that nothing here could have written. */
export class DamagedBlock extends RangeError {}
