/** Public source: Key Manager API reference, "Containers API". */
export const CONTAINER_TYPES = ['generic', 'rsa', 'certificate'] as const;
export type ContainerType = (typeof CONTAINER_TYPES)[number];
