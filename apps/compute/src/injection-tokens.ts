/** What Nest injects by name, because it is an interface or a plain value. */
export const COMPUTE_CONFIG = Symbol('compute config');
export const HYPERVISOR = Symbol('hypervisor');
export const IMAGES = Symbol('images');
export const SEAL = Symbol('seal');
