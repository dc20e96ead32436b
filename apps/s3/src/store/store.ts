/** The token of the store of objects' bytes, a `ByteStore`. */
export const STORE = Symbol('object store');

/** What the store's bytes are of, as its errors name it. */
export const HELD = 'object';
