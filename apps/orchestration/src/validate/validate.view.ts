/**
 * The result of a validation. Pure. Public source: Orchestration API reference, "Validate template";
 * heat, `engine/service.py`, `validate_template`.
 */
import { environmentView } from '../stack-templates/stack-template.view.js';
import { describedBy } from '../stacks/stack.view.js';
import type { JsonObject } from '../json/json.js';
import { isMap } from '../json/json.js';
import { validatedParameter } from '../template/parameters/parameter-view.js';
import type { TemplateOutline } from '../template/template-reader.js';

export function validatedView(template: TemplateOutline, showNested: boolean): object {
  const { parameterGroups } = template;
  return {
    ...parametersOf(template),
    ...(parameterGroups.length === 0 ? {} : { ParameterGroups: parameterGroups }),
    ...(showNested ? nestedOf(template) : {}),
    Environment: environmentOf(template),
  };
}

function parametersOf({ description, parameters }: TemplateOutline): JsonObject {
  const all = parameters.map((one) => [one.name, validatedParameter(one)]);
  return {
    Description: describedBy(description),
    Parameters: Object.fromEntries(all) as JsonObject,
  };
}

/** The nested templates by resource, at any depth. */
function nestedOf({ nested = {}, resources }: TemplateOutline): JsonObject {
  const all = Object.entries(nested).map(([name, one]) => [
    name,
    { Type: resources[name]?.type ?? '', ...parametersOf(one), ...nestedOf(one) },
  ]);
  return all.length === 0 ? {} : { NestedParameters: Object.fromEntries(all) as JsonObject };
}

/** With the templates that resources name as their type. */
function environmentOf({ source, parameters, resources }: TemplateOutline): JsonObject {
  const { encrypted_param_names: _, ...given } = environmentView(source.environment, parameters);
  const registry = isMap(given['resource_registry']) ? given['resource_registry'] : {};
  const files = Object.values(resources).flatMap(({ type, implementation }) =>
    implementation.kind === 'template' && implementation.file === type ? [[type, type]] : [],
  );
  return {
    event_sinks: [],
    parameter_defaults: {},
    parameters: {},
    ...given,
    resource_registry: {
      ...(Object.fromEntries(files) as JsonObject),
      resources: {},
      ...registry,
    },
  };
}
