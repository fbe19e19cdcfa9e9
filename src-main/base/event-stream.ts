/** Pushes values to one reader. Values pushed before they are read wait; `end` ends the reading after them. */
export class EventStream<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #wake: (() => void) | null = null;
  #ended = false;
  #error: unknown = undefined;

  push(value: T): void {
    this.#waiting.push(value);
    this.#wake?.();
  }

  end(error?: unknown): void {
    this.#ended = true;
    this.#error = error;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift() as T;
      if (this.#ended) {
        if (this.#error !== undefined) throw this.#error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }
}
