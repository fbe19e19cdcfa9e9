declare const within: unique symbol;

/**
 * A port that carries text out of the process (to the disk, a log, a model, a person) and must not be used as it is. An adapter hands it out closed;
 * `through` in core/vault opens it, and every text given to it is redacted on the way. So a sink that nobody redacts does not compile.
 */
export interface Sink<Port extends object> {
  readonly [within]: Port;
}

/** Closes a port. For adapters, and for what a test or a bench puts in the place of one. */
export function asSink<Port extends object>(port: Port): Sink<Port> {
  return port as unknown as Sink<Port>;
}
