/** Told which address is asked for a model, "package index" where pip chooses it; the function it returns says what came, and whether it answered at all. */
export type OnContact = (address: string) => (bytes: number, reached: boolean) => void;
