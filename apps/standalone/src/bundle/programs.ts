/** The programs of the images, and the modules that threads run, by their names in `/app`. */

export const PROGRAMS: Readonly<Record<string, string>> = {
  identity: '@cumulet/identity/main',
  images: '@cumulet/images/main',
  network: '@cumulet/network/main',
  compute: '@cumulet/compute/main',
  secrets: '@cumulet/secrets/main',
  loadbalancer: '@cumulet/loadbalancer/main',
  orchestration: '@cumulet/orchestration/main',
  clusters: '@cumulet/clusters/main',
  s3: '@cumulet/s3/main',
  'network-agent': '@cumulet/network/agent/main',
  'ovn-central': '@cumulet/network/ovn-central/main',
  host: '@cumulet/host/host/main',
  attach: '@cumulet/host/attach/main',
  prepare: '@cumulet/standalone/deployment/main',
  cumulet: '@cumulet/standalone/main',
  healthy: '@cumulet/standalone/healthy/main',
};

/** Under the names by which the code looks for them beside itself. */
export const THREADS: Readonly<Record<string, string>> = {
  'template-thread': '@cumulet/orchestration/template-reader/template-thread',
};
