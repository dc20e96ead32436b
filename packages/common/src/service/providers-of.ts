import { ModulesContainer, type NestApplicationContext } from '@nestjs/core';

/** Every object that an application created or was given, once each, in its features' order. */
export function providersOf(app: Pick<NestApplicationContext, 'get'>): object[] {
  const modules = [...app.get(ModulesContainer).values()];
  const found = modules.flatMap(({ providers }) =>
    [...providers.values()].map((provider): unknown => provider.instance),
  );
  return [...new Set(found)].filter(isObject);
}

function isObject(one: unknown): one is object {
  return typeof one === 'object' && one !== null && 'constructor' in one;
}
