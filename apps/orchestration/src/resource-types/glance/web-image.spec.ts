import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../json/json.js';
import { ResourceInErrorError } from '../resource-type.errors.js';
import {
  calledIn,
  changed,
  testScope,
  type Answers,
  type TestScope,
} from '../resource-scope.fixture.js';
import { webImage } from './web-image.js';

const PATH = '/v2/images/id-1';
const PLAIN = { disk_format: 'qcow2', container_format: 'bare', location: 'http://images/tiny' };

const shown = (fields: JsonObject, more: Answers = {}, properties = {}): TestScope =>
  testScope(webImage, {
    properties: { ...PLAIN, ...properties },
    answers: { [`GET ${PATH}`]: fields, ...more },
  });

describe('a web image', () => {
  it('is created with its additional properties as fields', async () => {
    const properties = { ...PLAIN, extra_properties: { hw_disk_bus: 'scsi' }, tags: ['a'] };
    const answers = { 'POST /v2/images': { id: 'i' } };
    const scope = testScope(webImage, { properties, answers });
    expect(await webImage.create(scope)).toEqual({ physicalId: 'i' });
    expect(scope.requests[0]?.json).toEqual({
      name: 'shop-web-k3jd8s2mxq5p',
      disk_format: 'qcow2',
      container_format: 'bare',
      min_disk: 0,
      min_ram: 0,
      protected: false,
      visibility: 'private',
      tags: ['a'],
      hw_disk_bus: 'scsi',
    });
  });

  it('is imported, and created once it is active', async () => {
    const queued = shown({ status: 'queued' }, { [`POST ${PATH}/import`]: {} });
    expect(await webImage.isCreated?.(queued)).toBe(false);
    expect(queued.requests[1]?.json).toEqual({
      method: { name: 'web-download', uri: 'http://images/tiny' },
    });
    expect(await webImage.isCreated?.(shown({ status: 'importing' }))).toBe(false);
    expect(await webImage.isCreated?.(shown({ status: 'active' }))).toBe(true);
  });

  it('reports why the import failed', async () => {
    const fields = { status: 'queued', os_glance_failed_import: 'file' };
    const scope = shown({ ...fields, os_glance_status_reason: '404 Not Found' });
    await expect(webImage.isCreated?.(scope)).rejects.toThrow(
      new ResourceInErrorError('queued', '404 Not Found'),
    );
  });

  it('is deactivated and shared after its creation', async () => {
    const more = {
      [`POST ${PATH}/actions/deactivate`]: {},
      [`GET ${PATH}/members`]: { members: [{ member_id: 'gone' }] },
      [`POST ${PATH}/members`]: {},
    };
    const properties = { active: false, visibility: 'shared', members: ['p'] };
    const scope = shown({ status: 'active' }, more, properties);
    expect(await webImage.isCreated?.(scope)).toBe(true);
    expect(calledIn(scope).slice(1)).toEqual([
      `POST ${PATH}/actions/deactivate`,
      `GET ${PATH}/members`,
      `POST ${PATH}/members`,
      `DELETE ${PATH}/members/gone`,
    ]);
  });

  it('is updated by a patch', async () => {
    const before = { ...PLAIN, os_distro: 'debian', extra_properties: { a: '1', b: '2' } };
    const properties = { ...PLAIN, protected: true, extra_properties: { 'a/c': '1', b: 3 } };
    const answers = { [`PATCH ${PATH}`]: {} };
    const [scope, change] = changed(webImage, before, { properties, answers });
    await webImage.update?.(scope, change);
    expect(scope.requests[0]).toMatchObject({
      headers: { 'content-type': 'application/openstack-images-v2.1-json-patch' },
      json: expect.arrayContaining([
        { op: 'remove', path: '/a' },
        { op: 'replace', path: '/b', value: '3' },
        { op: 'add', path: '/a~1c', value: '1' },
        { op: 'remove', path: '/os_distro' },
        { op: 'replace', path: '/protected', value: true },
      ]),
    });
  });

  it.each([
    [{ container_format: 'ami', disk_format: 'raw' }, 'must be the same'],
    [{ members: ['p'], visibility: 'private' }, 'requires visibility to be shared'],
  ])('refuses contradicting properties: %j', (properties, message) => {
    expect(() => webImage.validate?.(properties)).toThrow(message);
  });
});
