/** Public source: Networking API reference, "QoS rule types". */
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import type { Query as ListQuery } from '@cumulet/common/resources/list-query';
import type { Attribute } from '@cumulet/common/resources/attribute';
import { InvalidValueError } from '@cumulet/common/resources/resource.errors';
import { flag, Refusal } from '@cumulet/common/resources/value-type';
import { HTTPNotFoundError } from './qos.errors.js';
import { QOS_RULE_TYPES, RULE_TYPES, type QosRuleType } from './rule-types.js';

const RuleTypeView = answerClass('RuleTypeView', {
  type: Shown(String, 'The name of the rule type.'),
});

const RuleTypeDetailView = answerClass('RuleTypeDetailView', {
  type: Shown(String, 'The name of the driver.'),
  drivers: Shown(
    [Object],
    'The drivers that support the type, with the permitted values of parameters.',
  ),
});

const RuleTypeList = allUnder('rule_types', RuleTypeView);

const RuleTypeBody = shownUnder('rule_type', RuleTypeDetailView);

@ApiTags('QoS rule types')
@Controller('v2.0/qos/rule-types')
export class RuleTypesController {
  @Get()
  @Allow('reader')
  @ApiQuery({ name: 'all_rules', required: false, type: String })
  @ApiQuery({ name: 'all_supported', required: false, type: String })
  @Operation('List QoS rule types', RuleTypeList)
  list(@Query() query: object): object {
    const { all_rules: all, type } = query as ListQuery;
    const isAll = all !== undefined && readFlag(all);
    const types = QOS_RULE_TYPES.filter((one) => isAll || RULE_TYPES[one].isCarried);
    const asked = type === undefined ? types : types.filter((one) => [type].flat().includes(one));
    return { rule_types: asked.map((one) => ({ type: one })) };
  }

  @Get(':rule_type')
  @Allow('admin')
  @Operation('Show a QoS rule type', RuleTypeBody)
  show(@Param('rule_type') name: string): object {
    const type = QOS_RULE_TYPES.find((one) => one === name);
    if (type === undefined) throw new HTTPNotFoundError(name);
    return { rule_type: { type, drivers: driversOf(type) } };
  }
}

function driversOf(type: QosRuleType): object[] {
  const { isCarried, attributes } = RULE_TYPES[type];
  if (!isCarried) return [];
  const supported_parameters = Object.entries<Attribute>(attributes).map(
    ([name, { type: of }]) => ({
      parameter_name: name,
      ...(of.values
        ? { parameter_type: 'choices', parameter_values: of.values }
        : { parameter_type: 'range', parameter_values: { start: 0, end: 2_147_483_647 } }),
    }),
  );
  return [{ name: 'cumulet', supported_parameters }];
}

function readFlag(given: string | readonly string[]): boolean {
  try {
    return flag.read([given].flat()[0]);
  } catch (error) {
    throw error instanceof Refusal ? new InvalidValueError('all_rules', error.message) : error;
  }
}
