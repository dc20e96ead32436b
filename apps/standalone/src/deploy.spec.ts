/** That what is deployed is what the list of services says. */
import 'reflect-metadata';
import type { Setting } from '@cumulet/common/config/settings';
import { describe, expect, it } from '@jest/globals';
import { composed, read, type Composed } from './composed.fixture.js';
import { SERVICES } from './services.js';

/** The processes of a service: `compute-api` and `compute-worker` of compute. */
function processesOf(name: string): Composed[] {
  const main = `apps/${name}/dist/main.js`;
  return Object.values(composed).filter(({ command }) => command?.includes(main));
}

describe.each(SERVICES)('$name', ({ name, port, serviceType, catalog, settings }) => {
  it('is built into the image', () => {
    const dockerfile = read('deploy/Dockerfile');
    expect(dockerfile).toContain(`--filter=@cumulet/${name}`);
    expect(dockerfile).toContain(`--workspace=@cumulet/${name}`);
    expect(dockerfile).toContain(`/app/apps/${name}/dist apps/${name}/dist`);
  });

  it('has a database', () => {
    expect(read('deploy/databases.sql')).toMatch(new RegExp(`DATABASE ${name}\\b`));
  });

  it('runs, on its own database, at its port', () => {
    const processes = processesOf(name);
    expect(processes.length).toBeGreaterThan(0);
    for (const { environment, healthcheck } of processes) {
      expect(environment?.[settings.databaseUrl.env]).toMatch(new RegExp(`@postgres/${name}$`));
      expect(healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${port}/readyz`);
    }
    const ports = processes.flatMap((one) => one.ports ?? []);
    expect(ports).toEqual([expect.stringMatching(new RegExp(`:${port}:${port}$`))]);
  });

  it('keeps what it keeps in volumes, whose folders the image has', () => {
    const mounted = processesOf(name).flatMap(({ volumes = [] }) => volumes);
    const folders = mounted.map((volume) => volume.slice(volume.indexOf(':') + 1));
    const kept = Object.values<Setting<unknown>>(settings)
      .filter(({ folder, defaultText = '' }) => folder && defaultText.startsWith('/var/lib/'))
      .map(({ defaultText }) => defaultText);
    expect(folders).toEqual(kept);
    for (const folder of folders) expect(read('deploy/Dockerfile')).toContain(` ${folder}`);
  });

  it('stands in the catalog under its port', () => {
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

it('nothing is deployed that the list does not have', () => {
  const mains = Object.values(composed).flatMap(({ command = [] }) => command.slice(1));
  const known = SERVICES.map(({ name }) => `apps/${name}/dist/main.js`);
  expect([...new Set(mains)].sort()).toEqual(known.sort());
});
