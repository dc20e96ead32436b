/** The token of the store of images' bytes, a `ByteStore`. */
export const IMAGE_STORE = Symbol('image store');
