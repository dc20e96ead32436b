/** A fake API of a cluster, with a certificate of its authority. */
import 'reflect-metadata';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ApiAccess } from '../cluster-engine.js';
import { createAuthority } from '../../pki/authority.js';
import { issue } from '../../pki/issue.js';

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

export interface FakeApi {
  /** Answers the next requests, replacing the previous handler. */
  answer: Answering;
  readonly access: Omit<ApiAccess, 'signal'>;
  stop(): Promise<void>;
}

export async function startFakeApi(): Promise<FakeApi> {
  const ca = await createAuthority({ commonName: 'kubernetes', days: 1 });
  const [own, client] = await Promise.all([
    issue(ca, {
      commonName: 'kube-apiserver',
      ipAddresses: ['127.0.0.1'],
      usages: ['server'],
      days: 1,
    }),
    issue(ca, { commonName: 'cumulet:health', usages: ['client'], days: 1 }),
  ]);
  const server = createServer({
    key: own.privateKeyPem,
    cert: own.certificatePem,
    ca: ca.certificatePem,
    requestCert: true,
  });
  server.on('request', (request, response) => fake.answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fake: FakeApi = {
    answer: (_, response) => response.end(),
    access: { server: `https://127.0.0.1:${port}`, caPem: ca.certificatePem, client },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
}

/** As large as a real one, whose kubelet reports 50 images with two names each. */
export function aKubernetesNode(
  name: string,
  status = 'True',
  message = 'kubelet is ready',
): object {
  const digest = 'a'.repeat(64);
  const images = Array.from({ length: 50 }, (_, index) => ({
    names: [
      `registry.k8s.io/provider-os/some-controller-${index}@sha256:${digest}`,
      `registry.k8s.io/provider-os/some-controller-${index}:v1.35.${index}`,
    ],
    sizeBytes: 50_000_000 + index,
  }));
  const condition = (type: string, value: string, text: string) => ({
    type,
    status: value,
    reason: 'KubeletSays',
    message: text,
    lastHeartbeatTime: '2026-01-02T03:04:05Z',
    lastTransitionTime: '2026-01-02T03:04:05Z',
  });
  return {
    metadata: { name, managedFields: [{ fieldsV1: { 'f:status': 'f'.repeat(6_000) } }] },
    status: {
      conditions: [
        condition('MemoryPressure', 'False', 'kubelet has sufficient memory available'),
        condition('Ready', status, message),
      ],
      images,
    },
  };
}
