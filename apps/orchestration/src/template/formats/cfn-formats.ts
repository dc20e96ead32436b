/**
 * AWS CloudFormation's template format, and Heat's first one. Public source: AWS CloudFormation User
 * Guide, "Template reference"; Heat template guide, "CloudFormation Compatible Functions".
 */
import { and, equals, fnNot, ifCondition, or } from '../functions/conditions.js';
import { fnSelect, fnSplit, listJoin } from '../functions/lists.js';
import { fnFindInMap, fnMemberListToMap } from '../functions/maps.js';
import { fnGetAtt, ref, refToParameter } from '../functions/references.js';
import { notACondition } from '../functions/refused.js';
import { fnGetAzs, fnResourceFacade } from '../functions/surroundings.js';
import type { FunctionTable, TemplateFunction } from '../functions/template-function.js';
import { fnBase64, fnReplace } from '../functions/texts.js';
import type { OutputKeys, ResourceKeys, SectionKeys, TemplateFormat } from './template-format.js';

const FUNCTIONS: readonly (readonly [string, TemplateFunction])[] = [
  ['Ref', ref],
  ['Fn::FindInMap', fnFindInMap],
  ['Fn::GetAZs', fnGetAzs],
  ['Fn::GetAtt', fnGetAtt],
  ['Fn::Select', fnSelect],
  ['Fn::Join', listJoin],
  ['Fn::Split', fnSplit],
  ['Fn::Replace', fnReplace],
  ['Fn::Base64', fnBase64],
  ['Fn::MemberListToMap', fnMemberListToMap],
  ['Fn::ResourceFacade', fnResourceFacade],
];

const CONDITIONS: readonly (readonly [string, TemplateFunction])[] = [
  ['Fn::Equals', equals],
  ['Ref', refToParameter],
  ['Fn::FindInMap', fnFindInMap],
  ['Fn::Not', fnNot],
  ['Fn::And', and],
  ['Fn::Or', or],
];

const SECTIONS: SectionKeys = {
  description: 'Description',
  parameters: 'Parameters',
  mappings: 'Mappings',
  resources: 'Resources',
  outputs: 'Outputs',
};

const RESOURCE: ResourceKeys = {
  type: 'Type',
  properties: 'Properties',
  metadata: 'Metadata',
  dependsOn: 'DependsOn',
  deletionPolicy: 'DeletionPolicy',
  updatePolicy: 'UpdatePolicy',
  description: 'Description',
  ignored: ['CreationPolicy', 'UpdateReplacePolicy'],
};

const OUTPUT: OutputKeys = { value: 'Value', description: 'Description', ignored: ['Export'] };

const BASE = {
  kind: 'cfn',
  aliases: [],
  deletionPolicies: { Delete: 'Delete', Retain: 'Retain', Snapshot: 'Snapshot' },
} as const;

export const CFN_FORMATS: readonly TemplateFormat[] = [
  {
    ...BASE,
    version: '2010-09-09',
    name: 'AWSTemplateFormatVersion.2010-09-09',
    versionKey: 'AWSTemplateFormatVersion',
    sections: { ...SECTIONS, conditions: 'Conditions' },
    resource: { ...RESOURCE, condition: 'Condition' },
    output: { ...OUTPUT, condition: 'Condition' },
    functions: new Map([...FUNCTIONS, ['Fn::If', ifCondition]]),
    conditionFunctions: conditionTable(),
  },
  {
    ...BASE,
    version: '2012-12-12',
    name: 'HeatTemplateFormatVersion.2012-12-12',
    versionKey: 'HeatTemplateFormatVersion',
    sections: SECTIONS,
    resource: RESOURCE,
    output: OUTPUT,
    functions: new Map(FUNCTIONS),
    conditionFunctions: new Map(),
  },
];

function conditionTable(): FunctionTable {
  const others = [...FUNCTIONS.map(([name]) => name), 'Fn::If'];
  return new Map([...others.map((name) => [name, notACondition] as const), ...CONDITIONS]);
}
