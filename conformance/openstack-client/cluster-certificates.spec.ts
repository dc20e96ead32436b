/** How the openstack client gets at a cluster: its kubeconfig, and certificates by the cluster's CA. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clusterBecomes, makeCluster } from '../support/cluster-cloud.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { PythonEnvironment } from '../support/python-environment.js';
import { outputOf } from '../support/run-program.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
/** By the client's own code. */
const PRINT_REQUEST =
  'from magnumclient.common import utils; print(utils.generate_csr_and_key()["csr"], end="")';

let demo: OpenStackClient;
let apiAddress: string;
let folder: string;

withProject(async ({ demo: client, cloudsYaml }) => {
  // It says how its user's shell is told of the kubeconfig.
  const env = { OS_CLIENT_CONFIG_FILE: cloudsYaml, OS_CLOUD: 'cumulet', SHELL: '/bin/sh' };
  demo = client.with(env);
  apiAddress = String((await makeCluster(demo, 'one'))['api_address']);
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-kubeconfig-'));
});
afterAll(() => rm(folder, { recursive: true }));

const readCa = async (): Promise<X509Certificate> =>
  new X509Certificate(await demo.text(...words`coe ca show one`));

describe('the openstack client and the certificates of a cluster', () => {
  it(
    'writes a kubeconfig, with a certificate by the CA',
    async () => {
      const said = await demo.text(...words`coe cluster config one --dir ${folder}`);
      const path = join(folder, 'config');
      expect(said).toContain(`export KUBECONFIG=${path}`);
      const kubeconfig = await readFile(path, 'utf8');
      const valueOf = (name: string): string =>
        new RegExp(`^ *${name}: (.+)$`, 'm').exec(kubeconfig)?.[1] ?? '';
      const pemOf = (name: string): string => Buffer.from(valueOf(name), 'base64').toString();
      expect(valueOf('server')).toBe(apiAddress);
      const ca = new X509Certificate(pemOf('certificate-authority-data'));
      const certificate = new X509Certificate(pemOf('client-certificate-data'));
      expect(ca.ca).toBe(true);
      expect(certificate.ca).toBe(false);
      expect(certificate.verify(ca.publicKey)).toBe(true);
      expect(certificate.checkPrivateKey(createPrivateKey(pemOf('client-key-data')))).toBe(true);
      expect(certificate.subject).toContain('O=system:masters');
    },
    3 * MINUTES,
  );

  it(
    'writes the certificates as files too',
    async () => {
      await demo.text(...words`coe cluster config one --dir ${folder} --force --output-certs`);
      const [ca, certificate, key] = await Promise.all(
        ['ca', 'cert', 'key'].map((name) => readFile(join(folder, `${name}.pem`), 'utf8')),
      );
      expect(new X509Certificate(ca ?? '').fingerprint256).toBe((await readCa()).fingerprint256);
      const parsed = new X509Certificate(certificate ?? '');
      expect(parsed.checkPrivateKey(createPrivateKey(key ?? ''))).toBe(true);
    },
    3 * MINUTES,
  );

  it(
    'has a request signed',
    async () => {
      const python = await PythonEnvironment.install('openstack-client');
      const request = join(folder, 'request.pem');
      await writeFile(request, await outputOf(python.program('python'), ['-c', PRINT_REQUEST]));
      const signed = new X509Certificate(await demo.text(...words`coe ca sign one ${request}`));
      expect(signed.verify((await readCa()).publicKey)).toBe(true);
      expect(signed.subject).toContain('CN=admin');
    },
    3 * MINUTES,
  );

  it(
    'refuses what is not a request',
    async () => {
      const text = join(folder, 'text.pem');
      await writeFile(text, 'not a request');
      expect(await demo.refusal(...words`coe ca sign one ${text}`)).toContain('HTTP 400');
    },
    3 * MINUTES,
  );

  it(
    'has the CA replaced',
    async () => {
      const before = await readCa();
      await demo.text(...words`coe ca rotate one`);
      await clusterBecomes(demo, 'one', { status: 'UPDATE_COMPLETE' });
      const after = await readCa();
      expect(after.fingerprint256).not.toBe(before.fingerprint256);
    },
    5 * MINUTES,
  );

  it(
    'has the credential replaced by which the cluster uses the cloud',
    async () => {
      const said = await demo.text(...words`coe credential rotate one`);
      expect(said).toMatch(/Request to rotate credentials for cluster [0-9a-f-]{36} accepted/);
    },
    3 * MINUTES,
  );
});
