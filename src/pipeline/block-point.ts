/** The height and the time of a block. */
export type BlockPoint = { height: number; time: number };
