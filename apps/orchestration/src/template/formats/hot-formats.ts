/** Versions of HOT. Public source: Heat template guide, "Heat template version". */
import { and, equals, ifCondition, ifOptional, not, or } from '../functions/conditions.js';
import {
  contains,
  filter,
  fnSelect,
  fnSplit,
  listConcat,
  listConcatUnique,
  listJoin,
  listJoinMany,
  strSplit,
} from '../functions/lists.js';
import { makeUrl } from '../functions/make-url.js';
import { fnMemberListToMap, mapMerge, mapReplace } from '../functions/maps.js';
import { getAttr, getAttrOrAll, getResource, ref } from '../functions/references.js';
import { notACondition, removed, yaql } from '../functions/refused.js';
import { repeat, repeatLists, repeatListsAndMaps } from '../functions/repeat.js';
import {
  fnGetAzs,
  fnResourceFacade,
  getFile,
  getParam,
  resourceFacade,
} from '../functions/surroundings.js';
import type { FunctionTable, TemplateFunction } from '../functions/template-function.js';
import {
  digest,
  fnBase64,
  fnReplace,
  strReplace,
  strReplaceStrict,
  strReplaceText,
  strReplaceVeryStrict,
} from '../functions/texts.js';
import type { DeletionPolicy } from '../read-template.js';
import type { TemplateFormat } from './template-format.js';

const KEY = 'heat_template_version';
/** The first version with conditions, `external_id`, and policies in lower case. */
const CONDITIONS_SINCE = '2016-10-14';

/** OpenStack's releases, by the version that each introduced. */
const RELEASES: Readonly<Record<string, string>> = {
  '2016-10-14': 'newton',
  '2017-02-24': 'ocata',
  '2017-09-01': 'pike',
  '2018-03-02': 'queens',
  '2018-08-31': 'rocky',
  '2021-04-16': 'wallaby',
};

const POLICIES: Readonly<Record<string, DeletionPolicy>> = {
  Delete: 'Delete',
  Retain: 'Retain',
  Snapshot: 'Snapshot',
};

/** Public source: Heat template guide, "Heat template version", "Intrinsic functions". */
export const HOT_FUNCTIONS: readonly HotFunctions[] = [
  {
    version: '2013-05-23',
    changes: {
      get_param: getParam,
      get_resource: getResource,
      get_attr: getAttr,
      get_file: getFile,
      list_join: listJoin,
      str_replace: strReplaceText,
      resource_facade: resourceFacade,
      Ref: ref,
      'Fn::GetAZs': fnGetAzs,
      'Fn::Select': fnSelect,
      'Fn::Join': listJoin,
      'Fn::Split': fnSplit,
      'Fn::Replace': fnReplace,
      'Fn::Base64': fnBase64,
      'Fn::MemberListToMap': fnMemberListToMap,
      'Fn::ResourceFacade': fnResourceFacade,
    },
  },
  {
    version: '2014-10-16',
    changes: {
      Ref: removed,
      'Fn::GetAZs': removed,
      'Fn::Join': removed,
      'Fn::Split': removed,
      'Fn::Replace': removed,
      'Fn::Base64': removed,
      'Fn::MemberListToMap': removed,
      'Fn::ResourceFacade': removed,
    },
  },
  { version: '2015-04-30', changes: { repeat: repeatLists, digest } },
  {
    version: '2015-10-15',
    changes: {
      get_attr: getAttrOrAll,
      list_join: listJoinMany,
      str_replace: strReplace,
      str_split: strSplit,
      'Fn::Select': removed,
    },
  },
  { version: '2016-04-08', changes: { map_merge: mapMerge } },
  {
    version: '2016-10-14',
    changes: { repeat: repeatListsAndMaps, yaql, map_replace: mapReplace, if: ifCondition },
    conditionChanges: { get_param: getParam, equals, not, and, or },
  },
  { version: '2017-02-24', changes: { filter, str_replace_strict: strReplaceStrict } },
  {
    version: '2017-09-01',
    changes: {
      repeat,
      make_url: makeUrl,
      list_concat: listConcat,
      list_concat_unique: listConcatUnique,
      str_replace_vstrict: strReplaceVeryStrict,
      contains,
    },
    conditionChanges: { yaql, contains },
  },
  { version: '2018-03-02', changes: {} },
  { version: '2018-08-31', changes: {} },
  { version: '2021-04-16', changes: { if: ifOptional } },
];

export const HOT_FORMATS: readonly TemplateFormat[] = formats();

function formats(): readonly TemplateFormat[] {
  let functions: Readonly<Record<string, TemplateFunction>> = {};
  let conditions: Readonly<Record<string, TemplateFunction>> = {};
  return HOT_FUNCTIONS.map(({ version, changes, conditionChanges }) => {
    functions = { ...functions, ...changes };
    conditions = { ...conditions, ...conditionChanges };
    const table = new Map(Object.entries(functions));
    const hasConditions = version >= CONDITIONS_SINCE;
    const release = RELEASES[version];
    return {
      kind: 'hot',
      version,
      name: `${KEY}.${version}`,
      aliases: release === undefined ? [] : [`${KEY}.${release}`],
      versionKey: KEY,
      sections: {
        description: 'description',
        parameters: 'parameters',
        parameterGroups: 'parameter_groups',
        resources: 'resources',
        outputs: 'outputs',
        ...(hasConditions ? { conditions: 'conditions' } : {}),
      },
      resource: {
        type: 'type',
        properties: 'properties',
        metadata: 'metadata',
        dependsOn: 'depends_on',
        deletionPolicy: 'deletion_policy',
        updatePolicy: 'update_policy',
        description: 'description',
        ...(hasConditions ? { condition: 'condition', externalId: 'external_id' } : {}),
      },
      output: {
        value: 'value',
        description: 'description',
        ...(hasConditions ? { condition: 'condition' } : {}),
      },
      functions: table,
      conditionFunctions: hasConditions ? conditionTable(table, conditions) : new Map(),
      deletionPolicies: hasConditions ? { ...POLICIES, ...lowerCase(POLICIES) } : POLICIES,
    };
  });
}

function lowerCase(
  policies: Readonly<Record<string, DeletionPolicy>>,
): Readonly<Record<string, DeletionPolicy>> {
  return Object.fromEntries(
    Object.entries(policies).map(([name, policy]) => [name.toLowerCase(), policy]),
  );
}

type Functions = Readonly<Record<string, TemplateFunction>>;

/** Differences from the version before. */
export interface HotFunctions {
  readonly version: string;
  readonly changes: Functions;
  readonly conditionChanges?: Functions;
}

/** The functions of conditions, with the version's others as refused ones. */
export function conditionTable(functions: FunctionTable, conditions: Functions): FunctionTable {
  const others = [...functions].map(
    ([name, one]) => [name, one === removed ? removed : notACondition] as const,
  );
  return new Map([...others, ...Object.entries(conditions)]);
}
