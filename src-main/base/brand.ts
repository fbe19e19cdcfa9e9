declare const brand: unique symbol;

/** A value whose type says which check it passed; made only by the function that does the check. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
