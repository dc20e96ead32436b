/** What Nest injects by name, because it is a plain value. */
export const IDENTITY_CONFIG = Symbol('identity config');
