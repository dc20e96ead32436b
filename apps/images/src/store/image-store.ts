/** The injection token of the `ByteStore` of image data. */
export const IMAGE_STORE = Symbol('image store');
