import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { renderKubeconfig } from './kubeconfig.js';

it('is what kubectl reads, without folded lines', () => {
  const certPem = `-----BEGIN CERTIFICATE-----\n${'A'.repeat(600)}\n-----END CERTIFICATE-----\n`;
  const text = renderKubeconfig({
    server: 'https://198.51.100.4:6443',
    caPem: 'ca',
    certPem,
    keyPem: 'key',
    name: 'yes', // which YAML would otherwise take for true
  });
  expect(text).toContain(`client-certificate-data: "${Buffer.from(certPem).toString('base64')}"\n`);
  expect(parse(text, { version: '1.1' })).toMatchObject({
    clusters: [
      {
        name: 'yes',
        cluster: {
          server: 'https://198.51.100.4:6443',
          'certificate-authority-data': Buffer.from('ca').toString('base64'),
        },
      },
    ],
    users: [{ name: 'yes', user: { 'client-key-data': Buffer.from('key').toString('base64') } }],
    contexts: [{ name: 'yes', context: { cluster: 'yes', user: 'yes' } }],
    'current-context': 'yes',
  });
});
