/** Told of each mistake. It throws unless the caller wants to read on, with a default in the place of what is wrong. */
export type Refuse = (message: string) => void;

export const refuseAtOnce: Refuse = (message) => {
	throw new Error(message);
};
