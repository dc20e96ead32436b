/** That what is deployed is what the list of services says. */
import 'reflect-metadata';
import type { Setting } from '@cumulet/common/config/settings';
import { describe, expect, it } from '@jest/globals';
import { apiName, composed, read, type Composed } from './composed.fixture.js';
import { SERVICES } from './services.js';

/** The processes of a service: `compute-api` and `compute-worker` of compute. */
function processesOf(name: string): Composed[] {
  const main = `apps/${name}/dist/main.js`;
  return Object.values(composed).filter(({ command }) => command?.includes(main));
}

describe.each(SERVICES)('$name', ({ name, path, port, serviceType, catalog, settings }) => {
  it('is built into the image', () => {
    const dockerfile = read('deploy/Dockerfile');
    expect(dockerfile).toContain(`--filter=@cumulet/${name}`);
    expect(dockerfile).toContain(`--workspace=@cumulet/${name}`);
    expect(dockerfile).toContain(`/app/apps/${name}/dist apps/${name}/dist`);
  });

  it('has a database', () => {
    expect(read('deploy/databases.sql')).toMatch(new RegExp(`DATABASE ${name}\\b`));
  });

  it('runs on its own database at its port', () => {
    const processes = processesOf(name);
    expect(processes.length).toBeGreaterThan(0);
    for (const { environment, healthcheck } of processes) {
      expect(environment?.[settings.databaseUrl.env]).toMatch(new RegExp(`@postgres/${name}$`));
      // At the root of S3's port every name is a bucket's.
      const probe = name === 's3' ? '/-/readyz' : '/readyz';
      expect(healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${port}${probe}'`);
    }
    const ports = processes.flatMap((one) => one.ports ?? []);
    expect(ports).toEqual([expect.stringMatching(new RegExp(`:${port}:${port}$`))]);
  });

  it('is behind the ingress, which finds its processes by their name', () => {
    const ingress = read('deploy/haproxy.cfg');
    const route = name === 's3' ? '' : ` if { var(txn.service) -m str ${path.slice(1)} }`;
    expect(ingress).toContain(`_backend ${name}${route}\n`);
    expect(ingress).toContain(`server-template ${name} 20 ${apiName(name)}:${port}\n`);
    expect(composed).toHaveProperty(apiName(name));
  });

  it('stores its data in volumes whose folders exist in the image', () => {
    const mounted = processesOf(name).flatMap(({ volumes = [] }) => volumes);
    const folders = mounted.map((volume) => volume.slice(volume.indexOf(':') + 1));
    const kept = Object.values<Setting<unknown>>(settings)
      .filter(({ folder, defaultText = '' }) => folder && defaultText.startsWith('/var/lib/'))
      .map(({ defaultText }) => defaultText);
    expect(folders).toEqual(kept);
    for (const folder of folders) expect(read('deploy/Dockerfile')).toContain(` ${folder}`);
  });

  it('is in the catalog with its port', () => {
    const { environment = {} } = composed['identity'] ?? {};
    const entry =
      name === 'identity'
        ? environment['IDENTITY_PUBLIC_URL']
        : environment['CUMULET_SERVICES']?.split(', ').find((one) => one.startsWith(`${name}:`));
    const shown = name === 'identity' ? '' : `${name}:${serviceType}:${catalog?.name ?? name}=`;
    // A path may refer to the token: %(project_id)s.
    const path = (catalog?.path ?? '').replaceAll(/[()]/g, String.raw`\$&`);
    expect(entry).toMatch(new RegExp(`^${shown}http://.*:${port}${path}$`));
  });
});

it('every deployed service is in the list', () => {
  const mains = Object.values(composed).flatMap(({ command = [] }) => command.slice(1));
  const known = SERVICES.map(({ name }) => `apps/${name}/dist/main.js`);
  expect([...new Set(mains)].sort()).toEqual(known.sort());
});

it('the ingress names its paths in order', () => {
  const paths = SERVICES.flatMap(({ path }) => (path === '' ? [] : [path]));
  expect(read('deploy/haproxy.cfg')).toContain(`setenv PATHS "${paths.join(', ')}"\n`);
});

/** Capabilities that a container gets back, each for what it cannot do without it. */
const CAPABILITIES: Readonly<Record<string, readonly string[]>> = {};

describe.each(Object.entries(composed))('the container %s', (name, container) => {
  it('writes only to its volumes and to limited memory', () => {
    expect(container.read_only).toBe(true);
    expect(container.tmpfs?.map((mount) => mount.split(':')[0])).toContain('/tmp');
    for (const mount of container.tmpfs ?? [])
      expect(mount).toMatch(/:rw,nosuid,nodev,noexec,size=\d+m,(mode=1777|uid=999,gid=999)$/);
    for (const volume of container.volumes ?? [])
      expect(volume).toMatch(/^(\w+:\/var\/lib\/|\.\/deploy\/.*:ro$)/);
  });

  it('has only named capabilities, and cannot gain others', () => {
    expect(container.cap_drop).toEqual(['ALL']);
    expect(container.cap_add ?? []).toEqual(CAPABILITIES[name] ?? []);
    expect(container.security_opt).toEqual(['no-new-privileges:true']);
    expect(container).not.toHaveProperty('privileged');
    expect(container).not.toHaveProperty('network_mode');
    expect(container).not.toHaveProperty('pid');
    expect(container.user).not.toBe('root');
  });

  it('does not publish statistics', () => {
    expect((container.ports ?? []).join(' ')).not.toContain('9100');
    if (container.command)
      expect(container.environment).toMatchObject({ CUMULET_METRICS_PORT: '9100' });
  });
});
