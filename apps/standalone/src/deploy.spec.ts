/** That what is deployed is what the list of services says. */
import 'reflect-metadata';
import { loadSettings, type Setting, type Settings } from '@cumulet/common/config/settings';
import { hostSettings } from '@cumulet/host/host/config';
import { agentSettings } from '@cumulet/network/agent/agent.config';
import { describe, expect, it } from '@jest/globals';
import { apiName, composed, read, type Composed } from './composed.fixture.js';
import { PROGRAMS } from './bundle/programs.js';
import { keysOf } from './secrets.js';
import { SERVICES } from './services.js';

const PUBLIC = 'http://127.0.0.1:8080';
const SECRETS = '/run/cumulet/secrets';

/** The processes of a service: `compute-api` and `compute-agent` of compute. */
function processesOf(name: string): [string, Composed][] {
  return Object.entries(composed).filter(
    ([, { command = [] }]) =>
      command.includes(`/app/${name}.js`) ||
      (command.includes('/app/attach.js') && command.includes(name) && name !== 'network'),
  );
}

/** Its environment, with examples of the secrets that it reads from files. */
function environmentOf({ environment = {} }: Composed, settings: Settings) {
  const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
  const secrets = files.map(([file, path]) => {
    const name = file.slice(0, -'_FILE'.length);
    const setting = Object.values(settings).find(({ env }) => env === name);
    expect(path).toBe(`${SECRETS}/${name}`);
    return [name, setting?.example ?? 'example'];
  });
  const others = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'));
  return Object.fromEntries(
    [...others, ...secrets].map(([name, value]) => [name, value ?? '']),
  ) as Record<string, string>;
}

describe.each(SERVICES)('$name', ({ name, path, port, serviceType, catalog, settings, load }) => {
  it('is a program of the images', () => {
    expect(PROGRAMS).toHaveProperty(name, `@cumulet/${name}/main`);
  });

  it('runs with the settings of its containers, with what is secret from files', () => {
    const processes = processesOf(name);
    expect(processes.map(([container]) => container)).toContain(apiName(name));
    for (const [, one] of processes) {
      const env = environmentOf(one, settings);
      expect(() => load(env)).not.toThrow();
      expect(one.environment).toHaveProperty(`${settings.databaseUrl.env}_FILE`);
      const known = Object.values<Setting<unknown>>(settings).map((setting) => setting.env);
      for (const key of keysOf([{ name, settings } as never])) {
        if (known.includes(key.env) && name !== 'network')
          expect(one.environment).toHaveProperty(`${key.env}_FILE`);
      }
    }
  });

  it('is found by its sisters at its port', () => {
    const url = `http://${apiName(name)}:${port}`;
    for (const { environment = {} } of Object.values(composed)) {
      const given = environment[`CUMULET_${name.toUpperCase()}_URL`];
      if (given !== undefined) expect(given).toBe(url);
    }
  });

  it('is behind the ingress, which finds its processes by their name', () => {
    const ingress = read('deploy/haproxy.cfg');
    const route = name === 's3' ? '' : ` if { var(txn.service) -m str ${path.slice(1)} }`;
    expect(ingress).toContain(`_backend ${name}${route}\n`);
    expect(ingress).toContain(`server-template ${name} 20 ${apiName(name)}:${port}\n`);
  });

  it('knows its address as clients see it, and is in the catalog with that', () => {
    const url = name === 's3' ? 'http://127.0.0.1:9000' : PUBLIC + path;
    for (const [, { environment }] of processesOf(name))
      expect(environment?.[settings.publicUrl.env]).toBe(url);
    const entries = composed['identity']?.environment?.['CUMULET_SERVICES']?.split(', ') ?? [];
    const entry = `${name}:${serviceType}:${catalog?.name ?? name}=${url}${catalog?.path ?? ''}`;
    expect(entries.filter((one) => one === entry)).toHaveLength(name === 'identity' ? 0 : 1);
  });

  it('stores its data in a volume whose folder exists in the image', () => {
    const kept = Object.values<Setting<unknown>>(settings)
      .filter(({ folder, defaultText = '' }) => folder && defaultText.startsWith('/var/lib/'))
      .map(({ defaultText = '' }) => defaultText);
    const [, answering] = processesOf(name).find(([one]) => one === apiName(name)) ?? [];
    const mounted = (answering?.volumes ?? []).map((volume) => volume.split(':')[1]);
    // What is on hosts is in their folder.
    const isOnHosts = ['network', 'compute', 'loadbalancer'].includes(name);
    expect(mounted).toEqual([...(isOnHosts ? [] : kept), SECRETS]);
    for (const folder of kept) expect(read('deploy/Dockerfile')).toContain(` ${folder}`);
  });
});

it('every program that is deployed is in the images', () => {
  const programs = Object.values(composed).flatMap(({ command = [] }) =>
    command.filter((word) => word.startsWith('/app/')),
  );
  const known = Object.keys(PROGRAMS).map((name) => `/app/${name}.js`);
  expect(known).toEqual(expect.arrayContaining(programs));
});

it.each([
  ['host', hostSettings],
  ['network-agent', agentSettings],
])('the container %s runs with its settings', (name, settings: Settings) => {
  const one = composed[name] as Composed;
  const fromHost = { NETWORK_TUNNEL_ADDRESS: '198.18.255.11/24', CUMULET_HOST: 'host1' };
  expect(() =>
    loadSettings(settings, { ...environmentOf(one, settings), ...fromHost }),
  ).not.toThrow();
});

it('the ingress names its paths in order', () => {
  const paths = SERVICES.flatMap(({ path }) => (path === '' ? [] : [path]));
  expect(read('deploy/haproxy.cfg')).toContain(`setenv PATHS "${paths.join(', ')}"\n`);
});

it('calls the images by the version of the release', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(read('deploy/Dockerfile')).toContain(`image.version="${version}"`);
});

it('opens the ports of the ingress alone', () => {
  const open = Object.entries(composed).filter(([, { ports = [] }]) => ports.length > 0);
  expect(open.map(([name]) => name)).toEqual(['ingress']);
});

it('has tunnels between hosts alone', () => {
  const tunnelled = Object.entries(composed).filter(([, { networks }]) => networks);
  expect(tunnelled.map(([name]) => name)).toEqual(['host']);
});

const isHost = (name: string): boolean => name === 'host';

describe.each(Object.entries(composed))('the container %s', (name, container) => {
  it('writes only to its volumes and to limited memory', () => {
    expect(container.read_only).toBe(true);
    expect(container.tmpfs?.map((mount) => mount.split(':')[0])).toContain('/tmp');
    for (const mount of container.tmpfs ?? [])
      expect(mount).toMatch(/:rw,nosuid,nodev,(noexec,)?size=\d+[mg],(mode=\d+|uid=999,gid=999)$/);
    for (const volume of container.volumes ?? [])
      expect(volume).toMatch(/^([\w-]+:\/(var\/lib|run\/cumulet)\/|\.\/deploy.*:ro$)/);
  });

  it('has no capability, and cannot gain one, unless it is a host', () => {
    expect(container.cap_drop).toEqual(['ALL']);
    expect(container.cap_add === undefined).toBe(!isHost(name));
    expect(container.security_opt).toContain('no-new-privileges:true');
    expect(container.security_opt).toHaveLength(isHost(name) ? 2 : 1);
    expect(container).not.toHaveProperty('privileged');
    expect(container).not.toHaveProperty('network_mode');
    expect(container).not.toHaveProperty('pid');
    expect(container.user === 'root').toBe(isHost(name));
  });

  it('knows no secret by its environment', () => {
    if (name === 'secrets-drawn') return;
    const settings = SERVICES.flatMap((one) => Object.values<Setting<unknown>>(one.settings));
    const secret = settings.filter((one) => one.secret && one.isDrawn).map(({ env }) => env);
    for (const one of secret) expect(container.environment ?? {}).not.toHaveProperty(one);
  });
});
