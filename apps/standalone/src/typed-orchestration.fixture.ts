/** Of the types that are the orchestration's own. */
import { attr, ref, rename, templateOf, type Resources } from './typed-stacks.fixture.js';

export const OF_HEAT: Resources = {
  text: { type: 'OS::Heat::RandomString', properties: { length: 8 } },
  value: {
    type: 'OS::Heat::Value',
    properties: { value: attr('text', 'value') },
    changes: [{ value: '7' }, { type: 'number' }],
  },
  payload: {
    type: 'OS::Heat::Value',
    properties: { value: attr('secret', 'decrypted_payload') },
  },
  none: { type: 'OS::Heat::None', properties: { any: 1 }, changes: [{ any: 2 }] },
  test: { type: 'OS::Heat::TestResource', changes: [{ value: 'one' }, { wait_secs: 0 }] },
  delay: { type: 'OS::Heat::Delay', changes: [{ max_jitter: 0.1 }, { actions: ['DELETE'] }] },
  handle: { type: 'OS::Heat::WaitConditionHandle' },
  amazon_handle: { type: 'AWS::CloudFormation::WaitConditionHandle' },
  update_handle: { type: 'OS::Heat::UpdateWaitConditionHandle' },
  config: { type: 'OS::Heat::SoftwareConfig', properties: { config: '#!/bin/sh' } },
  structured: {
    type: 'OS::Heat::StructuredConfig',
    properties: { config: { a: { get_input: 'a' } } },
  },
  cloud_config: { type: 'OS::Heat::CloudConfig', properties: { cloud_config: { a: 1 } } },
  mime: { type: 'OS::Heat::MultipartMime', properties: { parts: [{ config: ref('config') }] } },
  deployment: {
    type: 'OS::Heat::SoftwareDeployment',
    properties: { config: ref('config'), server: ref('server'), signal_transport: 'NO_SIGNAL' },
    changes: [{ input_values: { a: 1 } }, rename('deployment'), { config: ref('cloud_config') }],
  },
  deployments: {
    type: 'OS::Heat::SoftwareDeploymentGroup',
    properties: {
      config: ref('config'),
      servers: { one: ref('server') },
      signal_transport: 'NO_SIGNAL',
    },
    changes: [{ input_values: { a: 1 } }, { servers: {} }],
  },
  data: {
    type: 'OS::Heat::StructuredDeployment',
    properties: {
      config: ref('structured'),
      server: ref('server'),
      signal_transport: 'NO_SIGNAL',
      input_values: { a: 1 },
      input_values_validate: 'STRICT',
    },
    changes: [{ input_values: { a: 2 } }, rename('data')],
  },
  data_on_all: {
    type: 'OS::Heat::StructuredDeploymentGroup',
    properties: {
      config: ref('structured'),
      servers: { one: ref('server') },
      signal_transport: 'NO_SIGNAL',
    },
    changes: [{ input_values: { a: 1 } }, { servers: {} }],
  },
  component: {
    type: 'OS::Heat::SoftwareComponent',
    properties: {
      configs: [
        { actions: ['CREATE'], config: 'install', tool: 'script' },
        { actions: ['DELETE'], config: 'remove', tool: 'script' },
      ],
    },
  },
  component_on_server: {
    type: 'OS::Heat::SoftwareDeployment',
    properties: {
      config: ref('component'),
      server: ref('server'),
      signal_transport: 'NO_SIGNAL',
    },
  },
  readable: { type: 'OS::Heat::AccessPolicy', properties: { AllowedResources: ['server'] } },
  stack: {
    type: 'OS::Heat::Stack',
    properties: { template: templateOf({ inner: { type: 'OS::Heat::TestResource' } }) },
    changes: [
      { timeout: 9 },
      {
        template: templateOf({
          inner: { type: 'OS::Heat::TestResource', properties: { value: 'two' } },
        }),
      },
    ],
  },
  members: {
    type: 'OS::Heat::ResourceGroup',
    properties: { count: 1, resource_def: { type: 'OS::Heat::TestResource' } },
    changes: [
      { count: 2 },
      { resource_def: { type: 'OS::Heat::TestResource', properties: { value: '%index%' } } },
      { removal_policies: [{ resource_list: ['0'] }] },
    ],
  },
  chain: {
    type: 'OS::Heat::ResourceChain',
    properties: { resources: ['OS::Heat::None'] },
    changes: [{ resources: ['OS::Heat::None', 'OS::Heat::TestResource'] }],
  },
  scaled: {
    type: 'OS::Heat::AutoScalingGroup',
    properties: { min_size: 1, max_size: 2, resource: { type: 'OS::Heat::TestResource' } },
    changes: [{ desired_capacity: 2 }, { cooldown: 1 }, { max_size: 3 }, { min_size: 2 }],
  },
  scaling: {
    type: 'OS::Heat::ScalingPolicy',
    properties: {
      auto_scaling_group_id: ref('scaled'),
      scaling_adjustment: 1,
      adjustment_type: 'change_in_capacity',
    },
    changes: [{ scaling_adjustment: 2 }, { cooldown: 1 }, { adjustment_type: 'exact_capacity' }],
  },
};
