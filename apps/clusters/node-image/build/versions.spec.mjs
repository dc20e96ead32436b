/** The table of versions, and the Go modules' own files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

import { KUBERNETES_VERSIONS, modFileOf, NODE_IMAGE, versionsOf } from './versions.mjs';

const pins = (folder, file) => readFileSync(join(NODE_IMAGE, 'components', folder, file), 'utf8');

it.each(KUBERNETES_VERSIONS)('of Kubernetes %s match the pinned modules', (kubernetes) => {
  const versions = versionsOf(kubernetes);
  const text = pins('node', modFileOf(kubernetes));
  expect(text).toContain(`\tk8s.io/kubernetes v${kubernetes}\n`);
  expect(text).toContain(`\tgo.etcd.io/etcd/server/v3 v${versions.etcd}\n`);
  const cloud = versions['cloud-provider-openstack'];
  expect(text).toContain(`\tk8s.io/cloud-provider-openstack v${cloud}\n`);
});

it.each([
  ['coredns', 'github.com/coredns/coredns'],
  ['flannel', 'github.com/flannel-io/flannel'],
  ['metrics-server', 'sigs.k8s.io/metrics-server'],
])('of %s is the one that is pinned', (name, module) => {
  const version = versionsOf(KUBERNETES_VERSIONS[0])[name];
  expect(pins(name, 'go.mod').split(/\s/).join(' ')).toContain(` ${module} v${version} `);
});

it('lists supported versions for an unsupported one', () => {
  expect(() => versionsOf('1.2.3')).toThrow(
    `There is no image of Kubernetes 1.2.3, only of ${KUBERNETES_VERSIONS.join(', ')}`,
  );
});
