/**
 * Which functions each version of HOT has. Public source: Heat template guide, "Heat template version",
 * "Intrinsic functions".
 */
import { and, not, or } from '../functions/boolean-conditions.js';
import { contains } from '../functions/contains.js';
import { digest } from '../functions/digest.js';
import { equals } from '../functions/equals.js';
import { filter } from '../functions/filter.js';
import { fnBase64 } from '../functions/fn-base64.js';
import { fnGetAzs } from '../functions/fn-get-azs.js';
import { fnMemberListToMap } from '../functions/fn-member-list-to-map.js';
import { fnSelect } from '../functions/fn-select.js';
import { fnSplit } from '../functions/fn-split.js';
import { getAttr, getAttrOrAll } from '../functions/get-attr.js';
import { getFile } from '../functions/get-file.js';
import { getParam } from '../functions/get-param.js';
import { getResource } from '../functions/get-resource.js';
import { ifCondition, ifOptional } from '../functions/if.js';
import { listConcat, listConcatUnique } from '../functions/list-concat.js';
import { listJoin, listJoinMany } from '../functions/list-join.js';
import { makeUrl } from '../functions/make-url.js';
import { mapMerge } from '../functions/map-merge.js';
import { mapReplace } from '../functions/map-replace.js';
import { notACondition } from '../functions/not-a-condition.js';
import { ref } from '../functions/ref.js';
import { removed } from '../functions/removed.js';
import { repeat, repeatLists, repeatListsAndMaps } from '../functions/repeat.js';
import { fnResourceFacade, resourceFacade } from '../functions/resource-facade.js';
import {
  fnReplace,
  strReplace,
  strReplaceStrict,
  strReplaceText,
  strReplaceVeryStrict,
} from '../functions/str-replace.js';
import { strSplit } from '../functions/str-split.js';
import type { FunctionTable, TemplateFunction } from '../functions/template-function.js';
import { yaql } from '../functions/yaql.js';

type Functions = Readonly<Record<string, TemplateFunction>>;

/** A version's changes to the functions of the version before it. */
export interface HotFunctions {
  readonly version: string;
  readonly changes: Functions;
  readonly conditionChanges?: Functions;
}

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

/** What conditions are made of, and what of the version's functions they may not be made of. */
export function conditionTable(functions: FunctionTable, conditions: Functions): FunctionTable {
  const others = [...functions].map(
    ([name, one]) => [name, one === removed ? removed : notACondition] as const,
  );
  return new Map([...others, ...Object.entries(conditions)]);
}
