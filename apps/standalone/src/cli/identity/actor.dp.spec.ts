import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cloudsYaml } from '../../clouds-yaml.js';
import { loadCliConfig } from '../config.js';
import { findActor, type Actor } from './actor.js';

let folder: string;
let ownFile: string;
let otherFile: string;

function entry(name: string, username: string): string {
  const authUrl = 'http://cloud.example/identity/v3';
  return cloudsYaml([
    { name, authUrl, username, password: 'secret', project: 'p', domainId: 'default', region: 'r' },
  ]);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-test-'));
  ownFile = join(folder, 'data', 'clouds.yaml');
  otherFile = join(folder, 'other.yaml');
  await mkdir(join(folder, 'data'));
  await writeFile(ownFile, entry('cumulet-admin', 'admin'));
  await writeFile(otherFile, entry('mine', 'alice'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function actor(env: Record<string, string>, named?: string): Promise<Actor> {
  return findActor(loadCliConfig({ CUMULET_DATA_DIR: join(folder, 'data'), ...env }), named);
}

describe('the current user', () => {
  it("is the cloud's administrator by default", async () => {
    expect(await actor({})).toEqual({
      from: `the entry cumulet-admin of ${ownFile}`,
      identityUrl: 'http://cloud.example/identity',
      authType: undefined,
      auth: {
        username: 'admin',
        password: 'secret',
        project_name: 'p',
        user_domain_id: 'default',
        project_domain_id: 'default',
      },
      region: 'r',
    });
  });

  it('is the entry that OS_CLOUD names, in the specified file', async () => {
    const found = await actor({ OS_CLOUD: 'mine', OS_CLIENT_CONFIG_FILE: otherFile });
    expect(found).toMatchObject({
      from: `the entry mine of ${otherFile}`,
      auth: { username: 'alice' },
    });
  });

  it('is the entry that --cloud names, before OS_CLOUD and OS_AUTH_URL', async () => {
    const env = { OS_CLOUD: 'mine', OS_AUTH_URL: 'http://elsewhere.example/v3' };
    expect(await actor(env, 'cumulet-admin')).toMatchObject({ auth: { username: 'admin' } });
  });

  it('is read from OS_AUTH_URL and related variables', async () => {
    const env = { OS_AUTH_URL: 'http://elsewhere.example/v3', OS_USERNAME: 'bob' };
    expect(await actor(env)).toMatchObject({
      identityUrl: 'http://elsewhere.example',
      auth: { username: 'bob' },
    });
  });

  it.each([
    ['does not exist', 'nobody', undefined, () => `${otherFile}: there is no entry nobody`],
    [
      'is in a missing file',
      'mine',
      '/nowhere/clouds.yaml',
      () => 'There is no clouds.yaml to find the entry mine in (/nowhere/clouds.yaml)',
    ],
  ])('cannot be an entry that %s', async (_, name, file, message) => {
    const found = actor({ OS_CLIENT_CONFIG_FILE: file ?? otherFile }, name);
    await expect(found).rejects.toThrow(message());
  });

  it('cannot be an entry without an auth_url', async () => {
    await writeFile(otherFile, 'clouds: {mine: {auth: {username: alice}}}');
    await expect(actor({ OS_CLIENT_CONFIG_FILE: otherFile }, 'mine')).rejects.toThrow(
      `the entry mine of ${otherFile} has no auth_url`,
    );
  });

  it('must be specified if no cloud has been started', async () => {
    await rm(ownFile);
    await expect(actor({})).rejects.toThrow(
      'start the cloud first, or say who acts (--cloud, OS_CLOUD or OS_AUTH_URL)',
    );
  });
});
