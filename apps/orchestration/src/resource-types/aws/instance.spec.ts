import { expect, it } from '@jest/globals';
import { changed, testScope } from '../resource-scope.fixture.js';
import { checkDefinition } from '../schema/check-definition.js';
import { instance } from './instance.js';

const PLAIN = { ImageId: 'i', InstanceType: 'f' };

it('is a server that says the same', async () => {
  const scope = testScope(instance, {
    properties: {
      ...PLAIN,
      SecurityGroups: ['g'],
      NetworkInterfaces: ['p', { NetworkInterfaceId: 'q' }],
      Tags: [{ Key: 'a', Value: 'b' }],
      NovaSchedulerHints: [{ Key: 'group', Value: 'h' }],
    },
    answers: { 'POST /v2.1/servers': { server: { id: 's' } } },
  });
  expect(await instance.create(scope)).toMatchObject({ physicalId: 's' });
  expect(scope.asked[0]?.json).toMatchObject({
    server: {
      imageRef: 'i',
      flavorRef: 'f',
      networks: [{ port: 'p' }, { port: 'q' }],
      metadata: { a: 'b' },
      security_groups: [{ name: 'g' }],
    },
    'os:scheduler_hints': { group: 'h' },
  });
});

it('is changed as a server is', async () => {
  const properties = { ...PLAIN, InstanceType: 'g' };
  const [scope, change] = changed(instance, PLAIN, { properties });
  const { data } = (await instance.update?.(scope, change)) ?? {};
  expect(data).toEqual({ steps: [{ do: 'resize', flavor: 'g' }] });
});

it.each([
  [{ KernelId: 'k' }, 'Property KernelId is not offered: an image says by itself what it boots.'],
  [{ SourceDestCheck: true }, 'Property SourceDestCheck is not offered: a port is held'],
])('refuses %j', (properties, message) => {
  const value = { ...PLAIN, ...properties };
  expect(() => checkDefinition(instance, { kind: 'value', value }, 'p', [])).toThrow(message);
});

it('refuses volumes', () => {
  const properties = { ...PLAIN, Volumes: [{ Device: 'vdb', VolumeId: 'v' }] };
  expect(() => instance.validate?.(properties)).toThrow('volumes are not offered');
});
