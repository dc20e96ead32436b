/** What every provider of a service may ask for by name, because no class stands for it. */

/** The service's settings, as its declaration loads them. */
export const CONFIG = Symbol('cumulet:config');
export const LOGGER = Symbol('cumulet:logger');
/** The declaration of the service itself. */
export const SERVICE = Symbol('cumulet:service');
/** A TokenAuthority. Each service has a feature that provides it. */
export const TOKEN_AUTHORITY = Symbol('cumulet:token-authority');
