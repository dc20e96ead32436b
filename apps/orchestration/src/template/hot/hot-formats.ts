/** Versions of HOT. Public source: Heat template guide, "Heat template version". */
import type { TemplateFunction } from '../functions/template-function.js';
import type { TemplateFormat } from '../formats/template-format.js';
import type { DeletionPolicy } from '../read-template.js';
import { conditionTable, HOT_FUNCTIONS } from './hot-functions.js';

const KEY = 'heat_template_version';
/** From here on there are conditions, resources of others, and policies in lower case. */
const CONDITIONS_SINCE = '2016-10-14';

/** OpenStack's releases, by the version that each brought. */
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
