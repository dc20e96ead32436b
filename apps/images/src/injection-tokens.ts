/** Names of what the parts of the service are given and no class stands for. */
export const IMAGES_CONFIG = Symbol('cumulet:images:config');
export const IMAGES_LOGGER = Symbol('cumulet:images:logger');
export const IMAGE_STORE = Symbol('cumulet:images:store');
