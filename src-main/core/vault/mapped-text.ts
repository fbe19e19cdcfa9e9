/** Code units of a changed text, each with the start and end of what it stands for in the original. */
export interface MappedText {
  readonly units: Uint16Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

export function mapOf(text: string): MappedText {
  const map = new MapBuilder(text.length);
  for (let index = 0; index < text.length; index += 1) map.add(text.charCodeAt(index), index, index + 1);
  return map.done();
}

const chunk = 8192;

export function textOf(map: MappedText): string {
  let text = "";
  for (let at = 0; at < map.units.length; at += chunk) text += String.fromCharCode(...map.units.subarray(at, at + chunk));
  return text;
}

/** Collects the code units of a changed text; grows as needed. */
export class MapBuilder {
  #units: Uint16Array;
  #starts: Int32Array;
  #ends: Int32Array;
  #length = 0;

  constructor(expected: number) {
    this.#units = new Uint16Array(expected + 16);
    this.#starts = new Int32Array(expected + 16);
    this.#ends = new Int32Array(expected + 16);
  }

  /** `start` and `end` are places in the original. */
  add(unit: number, start: number, end: number): void {
    if (this.#length === this.#units.length) this.#grow();
    this.#units[this.#length] = unit;
    this.#starts[this.#length] = start;
    this.#ends[this.#length] = end;
    this.#length += 1;
  }

  done(): MappedText {
    return { units: this.#units.subarray(0, this.#length), starts: this.#starts.subarray(0, this.#length), ends: this.#ends.subarray(0, this.#length) };
  }

  #grow(): void {
    const [units, starts, ends] = [new Uint16Array(this.#length * 2), new Int32Array(this.#length * 2), new Int32Array(this.#length * 2)];
    units.set(this.#units);
    starts.set(this.#starts);
    ends.set(this.#ends);
    [this.#units, this.#starts, this.#ends] = [units, starts, ends];
  }
}
