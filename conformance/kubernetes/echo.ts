/** A deployment of two servers that tell their names, of the image that nodes carry, and its service. */

const LABELS = { app: 'echo' };

export const ECHO = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'echo' },
      spec: {
        replicas: 2,
        selector: { matchLabels: LABELS },
        template: {
          metadata: { labels: LABELS },
          spec: {
            terminationGracePeriodSeconds: 1,
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: 'kubernetes.io/hostname',
                whenUnsatisfiable: 'ScheduleAnyway',
                labelSelector: { matchLabels: LABELS },
              },
            ],
            containers: [
              { name: 'echo', image: 'cumulet/echo:1', imagePullPolicy: 'IfNotPresent' },
            ],
          },
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'echo' },
      spec: {
        type: 'LoadBalancer',
        selector: LABELS,
        ports: [{ port: 80, targetPort: 8080 }],
      },
    },
  ],
};
