import { describe, expect, it } from '@jest/globals';
import type { ReadTemplate } from './read-template.js';
import { hot, readTest } from './read.fixture.js';
import {
  CircularDependencyExceptionError,
  InvalidTemplateAttributeError,
  InvalidTemplateReferenceError,
  InvalidTemplateSectionError,
  StackValidationFailedError,
  TemplateError,
} from './template.errors.js';

describe('a fault in a template', () => {
  it.each<[string, string, string, new (...args: never) => TemplateError]>([
    [
      'a section',
      hot('', 'foo: 1'),
      'The template section is invalid: foo',
      InvalidTemplateSectionError,
    ],
    [
      'resources',
      'heat_template_version: rocky\nresources: [a]',
      'resources: : "resources" must contain a map, not a list',
      StackValidationFailedError,
    ],
    [
      'a resource',
      hot('  a: b'),
      'resources.a: : "resources" must contain a map of resource maps. Found a string instead',
      StackValidationFailedError,
    ],
    [
      'a keyword',
      hot('  a: {type: OS::Heat::Value, foo: 1}'),
      'resources.a: : "foo" is not a valid keyword inside a resource definition',
      StackValidationFailedError,
    ],
    [
      'no type',
      hot('  a: {properties: {}}'),
      'resources.a: : Each resource must contain a type key.',
      StackValidationFailedError,
    ],
    [
      'a name',
      hot('  a/b: {type: OS::Heat::Value}'),
      'Resource name must have',
      StackValidationFailedError,
    ],
    [
      'an unknown type',
      hot('  a: {type: OS::No::Thing}'),
      'resources.a.type: : The Resource Type (OS::No::Thing) could not be found.',
      StackValidationFailedError,
    ],
    [
      'properties',
      hot('  a: {type: OS::Heat::Value, properties: [1]}'),
      'resources.a.properties: : Resource a properties type must be object',
      StackValidationFailedError,
    ],
    [
      'an unknown property',
      hot('  a: {type: OS::Heat::Value, properties: {foo: 1}}'),
      'Property error: : resources.a.properties: : Unknown Property foo',
      StackValidationFailedError,
    ],
    [
      'depends_on',
      hot('  a: {type: OS::Heat::Value, depends_on: 1}'),
      'Resource a depends_on type must be list or string',
      StackValidationFailedError,
    ],
    [
      'depends_on of numbers',
      hot('  a: {type: OS::Heat::Value, depends_on: [1]}'),
      'must be a list of strings',
      StackValidationFailedError,
    ],
    [
      'a policy',
      hot('  a: {type: OS::Heat::Value, deletion_policy: keep}'),
      'Invalid deletion policy "keep"',
      StackValidationFailedError,
    ],
    [
      'depends_on of nothing',
      hot('  a: {type: OS::Heat::Value, depends_on: b}'),
      'The specified reference "b" (in resources.a.depends_on) is incorrect.',
      InvalidTemplateReferenceError,
    ],
    [
      'a reference',
      hot('  a: {type: OS::Heat::Value, properties: {value: [{get_resource: b}]}}'),
      'The specified reference "b" (in resources.a.properties.value[0].get_resource) is incorrect.',
      InvalidTemplateReferenceError,
    ],
    [
      'a reference by a name that objects have',
      hot('  a: {type: OS::Heat::Value, properties: {value: {get_resource: constructor}}}'),
      '"constructor"',
      InvalidTemplateReferenceError,
    ],
    [
      'an attribute',
      hot('  a: {type: OS::Heat::Value}', 'outputs: {o: {value: {get_attr: [a, foo]}}}'),
      'The Referenced Attribute (a foo) is incorrect (in outputs.o.value.get_attr).',
      InvalidTemplateAttributeError,
    ],
    [
      'an output',
      hot('', 'outputs: {o: {description: x}}'),
      'outputs.o: : Each output definition must contain a value key.',
      StackValidationFailedError,
    ],
    [
      'an output keyword',
      hot('', 'outputs: {o: {value: 1, foo: x}}'),
      '"foo" is not a valid keyword inside a output definition',
      StackValidationFailedError,
    ],
    [
      'a circle',
      hot(
        '  x: {type: OS::Heat::Value, depends_on: a}\n  a: {type: OS::Heat::Value, depends_on: b}\n  b: {type: OS::Heat::Value, properties: {value: {get_attr: [a, value]}}}',
      ),
      'Circular Dependency Found: a -> b -> a',
      CircularDependencyExceptionError,
    ],
    [
      'itself',
      hot('  a: {type: OS::Heat::Value, depends_on: a}'),
      'Circular Dependency Found: a -> a',
      CircularDependencyExceptionError,
    ],
    [
      'a condition',
      hot('  a: {type: OS::Heat::Value, condition: foo}'),
      'resources.a.condition: : Invalid condition "foo"',
      StackValidationFailedError,
    ],
    [
      'conditions in a circle',
      hot('', 'conditions: {a: {not: b}, b: {not: a}}'),
      'Circular definition for condition "a": a -> b -> a',
      StackValidationFailedError,
    ],
    [
      'a condition that is a name',
      hot('', 'conditions: {a: b}'),
      'The definition of condition "a" is invalid: "b"',
      StackValidationFailedError,
    ],
    [
      'a function in a condition',
      hot('', 'conditions: {a: {get_resource: b}}'),
      'conditions.a.get_resource: : The function "get_resource" is invalid in this context',
      StackValidationFailedError,
    ],
    [
      'a resource that is left out',
      hot(
        '  a: {type: OS::Heat::Value, condition: false}',
        'outputs: {o: {value: {get_resource: a}}}',
      ),
      'The specified reference "a" (in outputs.o.value.get_resource) is incorrect.',
      InvalidTemplateReferenceError,
    ],
    [
      'requirements of what others made',
      hot(
        '  a: {type: OS::Heat::Value}\n  b: {type: OS::Heat::Value, external_id: x, depends_on: a}',
      ),
      'Invalid dependency with external OS::Heat::Value resource: "x"',
      TemplateError,
    ],
    [
      'names',
      hot('  a: {type: OS::Heat::Value}', 'parameters: {a: {type: string, default: b}}'),
      'Duplicate names',
      StackValidationFailedError,
    ],
    [
      'a group',
      hot('', 'parameter_groups: [{parameters: [a]}]'),
      'parameter_groups[0]: : The grouped parameter a does not reference a valid parameter.',
      StackValidationFailedError,
    ],
    [
      'a parameter',
      hot('  a: {type: OS::Heat::Value, properties: {value: {get_param: foo}}}'),
      'Property error: : resources.a.properties.value: : The Parameter (foo) was not provided.',
      TemplateError,
    ],
    [
      'a file',
      hot('  a: {type: OS::Heat::Value, properties: {value: {get_file: "http://127.0.0.1/x"}}}'),
      'No content found in the "files" section for get_file path: http://127.0.0.1/x',
      StackValidationFailedError,
    ],
    [
      'a function of another version',
      'heat_template_version: rocky\nresources: {a: {type: OS::Heat::Value, properties: {value: {"Fn::Join": [",", []]}}}}',
      'The template version is invalid: The function Fn::Join is not supported in this version of HOT',
      TemplateError,
    ],
    [
      'yaql',
      hot('  a: {type: OS::Heat::Value, properties: {value: {yaql: {expression: $.data}}}}'),
      'The function "yaql" is not supported',
      StackValidationFailedError,
    ],
  ])('is reported with its path: %s', (_, template, message, type) => {
    expect(() => readTest(template)).toThrow(type);
    expect(() => readTest(template)).toThrow(message);
  });

  it.each([
    [{}, 'The template version is invalid: Template version was not provided'],
    [{ heat_template_version: 2021 }, 'Template version was not provided'],
    [
      { heat_template_version: 'x' },
      '"heat_template_version: x". "heat_template_version" should be one of: 2013-05-23, 2014-10-16',
    ],
    [{ AWSTemplateFormatVersion: 'x' }, '"AWSTemplateFormatVersion" should be: 2010-09-09'],
    [
      { heat_template_version: 'rocky', AWSTemplateFormatVersion: '2010-09-09' },
      'Ambiguous versions',
    ],
    [
      { heat_template_version: '2016-04-08', conditions: {} },
      'The template section is invalid: conditions',
    ],
  ])('is reported: version %j', (template, message) => {
    expect(() => readTest(template)).toThrow(message);
  });
});

describe('a hidden parameter', () => {
  const parameters = 'parameters: {key: {type: string, hidden: true, default: s3cr3t}}';
  const given = (properties: string): ReadTemplate =>
    readTest(hot(`  a: {type: OS::Heat::Value, properties: ${properties}}`, parameters));

  it.each([
    '{other: 1, value: {list_concat: [{get_param: key}]}}',
    '{value: {str_split: [{get_param: key}, 1]}}',
  ])('is never shown in a message: %s', (properties) => {
    let message = '';
    try {
      given(properties);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('resources.a.properties.value');
    expect(message).not.toContain('s3cr3t');
  });

  it('is never part of a question', () => {
    const { questions } = given('{flavor: {get_param: key}}');
    expect(questions).toMatchObject([{ constraint: 'nova.flavor', isSecret: true }]);
  });
});
