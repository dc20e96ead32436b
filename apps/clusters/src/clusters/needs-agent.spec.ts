import { expect, it } from '@jest/globals';
import { aCluster } from '../rows.fixture.js';
import { needsAgent } from './needs-agent.js';

it('operations of the agent are allowed for nodes with it', () => {
  expect(() => needsAgent(aCluster(), 'Replacing masters')).not.toThrow();
});

it.each(['k3s', 'kubeadm'])('they are refused for nodes with %s', (bootstrap) => {
  const cluster = aCluster({ labels: { node_bootstrap: bootstrap } });
  expect(() => needsAgent(cluster, 'Replacing masters')).toThrow(
    `Replacing masters is not supported for cluster ${cluster.id}, whose nodes come to be by ${bootstrap}.`,
  );
});
