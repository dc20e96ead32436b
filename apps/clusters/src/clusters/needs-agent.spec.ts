import { expect, it } from '@jest/globals';
import { aCluster } from '../rows.fixture.js';
import { needsAgent } from './needs-agent.js';

it('what the agent does is done for clusters whose nodes have it', () => {
  expect(() => needsAgent(aCluster(), 'Replacing masters')).not.toThrow();
});

it.each(['k3s', 'kubeadm'])('it is refused for nodes of %s', (bootstrap) => {
  const cluster = aCluster({ labels: { node_bootstrap: bootstrap } });
  expect(() => needsAgent(cluster, 'Replacing masters')).toThrow(
    `Replacing masters is not supported for cluster ${cluster.id}, whose nodes come to be by ${bootstrap}.`,
  );
});
