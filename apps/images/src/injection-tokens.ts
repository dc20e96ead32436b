/** Names of what the parts of the service are given and no class stands for. */
export { CONFIG as IMAGES_CONFIG, LOGGER as IMAGES_LOGGER } from '@cumulet/common/service/tokens';
export const IMAGE_STORE = Symbol('cumulet:images:store');
