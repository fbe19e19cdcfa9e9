/** Time is injected: milliseconds since the epoch. */
export type Clock = () => number;

/** Makes a new unique, time-ordered id (ULID, 26 characters). */
export type MakeId = () => string;
