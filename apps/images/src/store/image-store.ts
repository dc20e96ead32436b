/** The token of the store of images' bytes, a `ByteStore`. */
export const IMAGE_STORE = Symbol('image store');

/** What the store's bytes are of, as its errors name it. */
export const HELD = 'image';
