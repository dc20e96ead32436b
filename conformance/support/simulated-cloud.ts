/** Settings of a cloud in which nothing runs: what its APIs answer is tested, and all that they make are rows. */
export const SIMULATED_CLOUD = {
  CUMULET_SEED_MICRO: 'false',
  COMPUTE_HYPERVISOR: 'simulated',
  NETWORK_DATA_PLANE: 'simulated',
  LOADBALANCER_DATA_PLANE: 'simulated',
};
