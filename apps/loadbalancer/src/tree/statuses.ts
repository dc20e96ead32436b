/** Public source: Load Balancer API reference, "Provisioning Status Codes", "Operating Status Codes". */

/** Of a load balancer and its parts. Only ACTIVE and ERROR last. */
export const PROVISIONING_STATUSES = [
  'ACTIVE',
  'ERROR',
  'PENDING_CREATE',
  'PENDING_UPDATE',
  'PENDING_DELETE',
] as const;
export type ProvisioningStatus = (typeof PROVISIONING_STATUSES)[number];

export const OPERATING_STATUSES = [
  'ONLINE',
  'DRAINING',
  'OFFLINE',
  'DEGRADED',
  'ERROR',
  'NO_MONITOR',
] as const;
export type OperatingStatus = (typeof OPERATING_STATUSES)[number];
