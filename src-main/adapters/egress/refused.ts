/** What was asked for, as far as it could be read. */
export interface AskedPlace {
  readonly scheme?: "http" | "https" | "ws" | "wss";
  readonly host: string;
  readonly port: number;
}

/** A refusal on its way to whoever asked: a typed code, a sentence for people, the place. */
export class Refused extends Error {
  readonly code: string;
  readonly place: AskedPlace;
  constructor(code: string, message: string, place: AskedPlace) {
    super(message);
    this.code = code;
    this.place = place;
  }
}
