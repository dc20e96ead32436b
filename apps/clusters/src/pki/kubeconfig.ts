/** Public source: Kubernetes, "Config (v1)". */
import { yamlDocument, type Yaml } from '@cumulet/common/languages/yaml';

export interface Kubeconfig {
  /** URL of the API. */
  readonly server: string;
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
  /** Also names context and user, so that files of several clusters can be merged. */
  readonly name: string;
}

export function renderKubeconfig({ server, caPem, certPem, keyPem, name }: Kubeconfig): Yaml {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': base64(caPem) } }],
    users: [
      {
        name,
        user: { 'client-certificate-data': base64(certPem), 'client-key-data': base64(keyPem) },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  return yamlDocument(config);
}

function base64(pem: string): string {
  return Buffer.from(pem).toString('base64');
}
