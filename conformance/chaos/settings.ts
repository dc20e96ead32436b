/** Of a cloud that is killed: nothing real behind it, and room for as much as is asked for. */
export const SIMULATED = {
  COMPUTE_HYPERVISOR: 'simulated',
  NETWORK_DATA_PLANE: 'simulated',
  CUMULET_SEED_MICRO: 'false',
  IMAGES_QUOTA_COUNT: '-1',
  IMAGES_QUOTA_UPLOADS: '-1',
  COMPUTE_QUOTA_INSTANCES: '-1',
  COMPUTE_QUOTA_CORES: '-1',
  COMPUTE_QUOTA_RAM_MB: '-1',
} as const;
