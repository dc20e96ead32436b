import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../json/json.js';
import type { Implementation } from '../read-template.js';
import { childEnvironment } from './derived-environment.js';
import { environmentOf } from './environment.js';
import { ResourceRegistry } from './registry.js';

const TYPES = ['OS::Nova::Server', 'OS::Neutron::FloatingIP', 'OS::Neutron::Net', 'OS::Heat::None'];
const FILES = { 'my.yaml': '', 'your.template': '', 'file:///x/web.yaml': '' };

function registryOf(registry: JsonObject): ResourceRegistry {
  const read = environmentOf({ resource_registry: registry });
  const isType = (name: string): boolean => TYPES.includes(name);
  return new ResourceRegistry({ registry: read.registry, isType, files: FILES });
}

const type = (name: string): Implementation => ({ kind: 'type', type: name });
const template = (file: string): Implementation => ({ kind: 'template', file });

describe('ResourceRegistry', () => {
  it.each<[string, JsonObject, string, Implementation]>([
    ['a type', {}, 'OS::Nova::Server', type('OS::Nova::Server')],
    ['a type by another', { 'My::S': 'OS::Nova::Server' }, 'My::S', type('OS::Nova::Server')],
    ['two steps', { 'My::S': 'A::S', 'A::S': 'my.yaml' }, 'My::S', template('my.yaml')],
    ['a template', { 'OS::Nova::Server': 'my.yaml' }, 'OS::Nova::Server', template('my.yaml')],
    ['a template by its address', {}, 'file:///x/web.yaml', template('file:///x/web.yaml')],
    [
      'a wildcard',
      { 'OS::Networking::*': 'OS::Neutron::*' },
      'OS::Networking::Net',
      type('OS::Neutron::Net'),
    ],
    ['many by one', { 'OS::*': 'OS::Heat::None' }, 'OS::Nova::Server', type('OS::Heat::None')],
    [
      'the one of many itself',
      { 'OS::*': 'OS::Heat::None' },
      'OS::Heat::None',
      type('OS::Heat::None'),
    ],
    [
      'a wildcard before a name',
      { 'OS::Nova::Server': 'my.yaml', 'OS::*': 'OS::Heat::None' },
      'OS::Nova::Server',
      type('OS::Heat::None'),
    ],
    [
      'one resource before all',
      { 'OS::*': 'OS::Heat::None', resources: { web: { 'OS::Nova::Server': 'my.yaml' } } },
      'OS::Nova::Server',
      template('my.yaml'),
    ],
    [
      'nothing for what leads nowhere',
      { 'OS::Nova::Server': 'No::Such' },
      'OS::Nova::Server',
      type('OS::Nova::Server'),
    ],
    [
      'nothing for what was taken away',
      { 'OS::Nova::Server': null },
      'OS::Nova::Server',
      type('OS::Nova::Server'),
    ],
  ])('finds %s', (_name, registry, asked, found) => {
    expect(registryOf(registry).implementationOf(asked, 'web')).toEqual(found);
  });

  it.each<[string, JsonObject, string, string]>([
    [
      'a type that is not known',
      {},
      'OS::No::Such',
      'The Resource Type (OS::No::Such) could not be found.',
    ],
    [
      'a property of objects',
      {},
      'constructor',
      'The Resource Type (constructor) could not be found.',
    ],
    [
      'a loop',
      { A: 'B', B: 'C', C: 'A' },
      'A',
      'resource_registry leads from A back to it: A -> B -> C -> A',
    ],
    ['a loop of wildcards', { 'A::*': 'B::*', 'B::*': 'A::*' }, 'A::x', 'A::x -> B::x -> A::x'],
    [
      'a template that nobody sent',
      { A: 'http://example.org/a.yaml' },
      'A',
      'Failed to retrieve template data: http://example.org/a.yaml is not among the files of the request.',
    ],
  ])('refuses %s', (_name, registry, asked, message) => {
    expect(() => registryOf(registry).implementationOf(asked)).toThrow(message);
  });

  it('finds hooks and restricted actions by name and by wildcard', () => {
    const registry = registryOf({
      resources: {
        '*': { hooks: 'post-create' },
        'web*': { hooks: ['pre-update', 'pre-create'] },
        db: { restricted_actions: 'replace' },
        web1: { restricted_actions: ['update'], 'OS::Nova::Server': 'my.yaml' },
      },
    });
    expect(registry.hooksOf('web1')).toEqual(['pre-create', 'pre-update', 'post-create']);
    expect(registry.hooksOf('db')).toEqual(['post-create']);
    expect(registry.restrictedActionsOf('web1')).toEqual(['update']);
    expect(registry.restrictedActionsOf('db')).toEqual(['replace']);
    expect(registry.restrictedActionsOf('other')).toEqual([]);
  });
});

describe('childEnvironment', () => {
  const parent = environmentOf({
    parameters: { a: 1 },
    parameter_defaults: { b: 2 },
    resource_registry: {
      'OS::Nova::Server': 'my.yaml',
      resources: {
        web: { 'OS::Nova::Server': 'your.template', inner: { hooks: 'pre-create' } },
        'w*': { deep: { hooks: 'pre-update' } },
        db: { other: { hooks: 'pre-create' } },
      },
    },
  });

  it("has the parent's entries for resources within the one", () => {
    const child = childEnvironment(parent, { resource: 'web', parameters: { c: 3 }, path: [] });
    expect(child.parameters).toEqual({ c: 3 });
    expect(child.parameterDefaults).toEqual({ b: 2 });
    expect(child.registry['resources']).toEqual({
      inner: { hooks: 'pre-create' },
      deep: { hooks: 'pre-update' },
    });
  });

  it('does not map a template to itself', () => {
    const registry = registryOf(parent.registry);
    const { path } = registry.find('OS::Nova::Server', 'db');
    const child = childEnvironment(parent, { resource: 'db', parameters: {}, path });
    expect(child.registry).not.toHaveProperty(['OS::Nova::Server']);
    expect(registryOf(child.registry).implementationOf('OS::Nova::Server', 'db')).toEqual(
      type('OS::Nova::Server'),
    );
  });
});
