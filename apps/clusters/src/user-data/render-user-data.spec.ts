import { expect, it } from '@jest/globals';
import { expectGolden } from '../golden.fixture.js';
import { aCluster, aGroup, aNode } from '../rows.fixture.js';
import { renderUserData } from './render-user-data.js';
import type { UserDataInput } from './user-data-input.js';

function input(bootstrap: string, role: 'master' | 'worker', values = {}): UserDataInput {
  return {
    cluster: aCluster({ labels: { node_bootstrap: bootstrap }, ...values }),
    group: aGroup(),
    id: aNode(1).id,
    name: `web-${role}-1`,
    role,
    caPem: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    guestUrl: 'http://169.254.169.254:8080/container-infra',
  };
}

const CASES = ['cumulet', 'k3s', 'kubeadm'].flatMap((bootstrap) =>
  (['master', 'worker'] as const).map((role) => ({ bootstrap, role })),
);

it.each(CASES)('a $role by $bootstrap renders as its golden file', async (one) => {
  const { bootstrap, role } = one;
  const file = new URL(`./golden/${bootstrap}-${role}.yaml`, import.meta.url);
  await expectGolden(file, renderUserData(input(bootstrap, role)));
});

it("contains the user's key, whatever its comment", () => {
  const publicKey = 'ssh-ed25519 AAAA "me": [x]\n';
  expect(renderUserData(input('cumulet', 'worker', { publicKey }))).toContain(
    'ssh_authorized_keys:\n  - "ssh-ed25519 AAAA \\"me\\": [x]"\nwrite_files:\n',
  );
});

it('keeps settings on separate lines', () => {
  const lines = renderUserData(input('cumulet', 'master')).split('\n');
  const settings = lines.filter((line) => line.startsWith('      '));
  expect(settings).toHaveLength(9);
  for (const line of settings) expect(line).toMatch(/^ {6}CUMULET_[A-Z_]+=[^\s'"]+$/);
});
