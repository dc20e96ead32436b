import { expect, it } from '@jest/globals';
import { changed, testScope } from '../resource-scope.fixture.js';
import { checkDefinition } from '../../template/properties/check-definition.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { ResourceType } from '../resource-type.js';
import { instance } from './instance.js';
import { amazonAutoScalingGroup, instanceGroup, launchConfiguration } from './instance-groups.js';

const PLAIN = { ImageId: 'i', InstanceType: 'f' };

it('an instance is created as the equivalent server', async () => {
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
  expect(scope.requests[0]?.json).toMatchObject({
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

it('an instance is updated like a server', async () => {
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

const OF_ANY_GROUP = { AvailabilityZones: ['nova'], LaunchConfigurationName: 'c' };
const LAUNCHED = { type: launchConfiguration, needs: PLAIN };
const SCALED = {
  type: amazonAutoScalingGroup,
  needs: { ...OF_ANY_GROUP, MinSize: 1, MaxSize: 1 },
};
const SIZED = { type: instanceGroup, needs: { ...OF_ANY_GROUP, Size: 1 } };

it.each<[string, { readonly type: ResourceType; readonly needs: JsonObject }, Json, string]>([
  ['RamDiskId', LAUNCHED, 'r', 'an image says by itself'],
  ['BlockDeviceMappings', LAUNCHED, [{}], 'there are no volumes'],
  ['HealthCheckType', SCALED, 'ELB', 'a group does not ask its instances'],
  ['HealthCheckGracePeriod', SCALED, 9, 'a group does not ask its instances'],
  ['LoadBalancerNames', SCALED, ['l'], 'members join an Octavia pool'],
  ['LoadBalancerNames', SIZED, ['l'], 'members join an Octavia pool'],
])('refuses %s of a group instead of ignoring it', (name, { type, needs }, given, why) => {
  const check = (value: JsonObject) => (): unknown =>
    checkDefinition(type, { kind: 'value', value }, 'p', []);
  expect(check(needs)).not.toThrow();
  expect(check({ ...needs, [name]: given })).toThrow(`Property ${name} is not offered: ${why}`);
});

it('accepts an empty list of an unsupported property', () => {
  const value = { ...PLAIN, BlockDeviceMappings: [] };
  expect(() => checkDefinition(instance, { kind: 'value', value }, 'p', [])).not.toThrow();
});

it('refuses volumes', () => {
  const properties = { ...PLAIN, Volumes: [{ Device: 'vdb', VolumeId: 'v' }] };
  expect(() => instance.validate?.(properties)).toThrow('volumes are not offered');
});
