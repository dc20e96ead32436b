/** Checks of a cluster, printed with their times. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LIMIT_MS = 900_000;

const DEPLOYMENT = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'echo' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'echo' } },
        template: {
          metadata: { labels: { app: 'echo' } },
          spec: {
            terminationGracePeriodSeconds: 1,
            tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }],
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: 'kubernetes.io/hostname',
                whenUnsatisfiable: 'DoNotSchedule',
                labelSelector: { matchLabels: { app: 'echo' } },
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
        type: 'NodePort',
        selector: { app: 'echo' },
        ports: [{ port: 80, targetPort: 8080 }],
      },
    },
  ],
};

/** @throws Error if a condition is not met in time */
export async function check(trial) {
  const { kubectl, options, say, service, nodes } = trial;
  const { ask, until } = toolsOf(trial);
  await until('the API answers', () => ask('get', '--raw=/readyz'));
  for (const name of nodes)
    await until(`${name} reports READY`, () => service.reports.get(name)?.status === 'READY');
  await until('the deployment is applied', () => apply(kubectl, options, DEPLOYMENT));
  await until(
    'two pods run',
    async () =>
      (await ask('get', 'deploy/echo', '-o=jsonpath={.status.availableReplicas}')) === '2',
  );
  say(await ask('get', 'pods', '--all-namespaces', '-o=wide'));
  const names = (
    await ask('get', 'pods', '-l=app=echo', '-o=jsonpath={.items[*].metadata.name}')
  ).split(' ');
  for (const name of names) {
    const answers = new Set();
    await until(`${name} reaches both by the service's name`, async () => {
      answers.add(
        await ask('exec', name, '--', '/program', 'get', 'http://echo.default.svc.cluster.local'),
      );
      return names.every((one) => answers.has(one));
    });
  }
  await until('metrics', async () => {
    // kubectl caches the API's resources for hours, so a cache from before metrics existed would be
    // outdated.
    const fresh = await mkdtemp(join(tmpdir(), 'node-image-'));
    const text = await ask('top', 'nodes', '--no-headers', `--cache-dir=${fresh}`).finally(() =>
      rm(fresh, { recursive: true, force: true }),
    );
    return text.split('\n').length === nodes.length && !text.includes('unknown') && `\n${text}`;
  });
  await until('logs are read', () =>
    ask('logs', '--namespace=kube-system', 'deploy/coredns', '--tail=1'),
  );
  say(await ask('get', 'nodes', '-o=wide', '--show-labels'));
}

/** Checks of a cluster after all its nodes were restarted or renewed. */
export async function checkAgain(trial) {
  const { service, nodes } = trial;
  const { ask, until } = toolsOf(trial);
  const isReady = (name) => {
    const { status, generation } = service.reports.get(name) ?? {};
    return status === 'READY' && generation === service.orders.generation;
  };
  for (const name of nodes) await until(`${name} reports READY`, () => isReady(name));
  await until('two pods run', async () => {
    const [pods, available] = await Promise.all([
      ask('get', 'pods', '-l=app=echo', '-o=jsonpath={.items[*].metadata.name}'),
      ask('get', 'deploy/echo', '-o=jsonpath={.status.availableReplicas}'),
    ]);
    const url = 'http://echo.default.svc.cluster.local';
    return available === '2' && ask('exec', pods.split(' ')[0], '--', '/program', 'get', url);
  });
}

function toolsOf({ kubectl, options, say }) {
  const ask = async (...args) => (await run(kubectl, [...options, ...args])).stdout.trim();
  const until = async (what, condition) => {
    const deadline = performance.now() + LIMIT_MS;
    let last = 'nothing was seen';
    for (;;) {
      try {
        const answer = await condition();
        if (answer) return say(`${what}: ${answer === true ? 'yes' : answer}`);
      } catch (error) {
        last = (error.stderr ?? error.message).trim().split('\n').at(-1);
      }
      if (performance.now() > deadline) throw new Error(`${what}: not in time; ${last}`);
      await wait(500);
    }
  };
  return { ask, until };
}

function apply(kubectl, options, object) {
  return new Promise((done, failed) => {
    const child = execFile(kubectl, [...options, 'apply', '--filename=-'], (error, stdout) =>
      error ? failed(error) : done(stdout.trim().replaceAll('\n', ', ')),
    );
    child.stdin.end(JSON.stringify(object));
  });
}
