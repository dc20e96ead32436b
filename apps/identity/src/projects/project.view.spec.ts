import { describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { parentIds, subtreeIds, type ShownProject } from './project.view.js';

/** @param path the ids from the top of the tree to the project's own */
function project(...path: string[]): ShownProject {
  const ids = path.map((id) => asId<ShownProject['id']>(id));
  return {
    id: ids.at(-1) ?? asId(''),
    domainId: asId('domain'),
    parentId: ids.at(-2) ?? null,
    ancestorIds: ids.slice(0, -1),
    name: '',
    description: '',
    enabled: true,
    tags: [],
    options: {},
    extra: {},
    createdAt: new Date(0),
  };
}

const domain: ShownProject = { ...project('domain'), domainId: null };

describe('parentIds', () => {
  it('go from the parent up to the domain', () => {
    expect(parentIds(project('a', 'b', 'c'))).toEqual({ b: { a: { domain: null } } });
    expect(parentIds(project('a'))).toEqual({ domain: null });
  });

  it('are none for a domain', () => {
    expect(parentIds(domain)).toBeNull();
  });
});

describe('subtreeIds', () => {
  const below = [project('a', 'b'), project('a', 'c'), project('a', 'b', 'd')];

  it('go down to the last project of each branch', () => {
    expect(subtreeIds('a', below)).toEqual({ b: { d: null }, c: null });
  });

  it('begin at the top for a domain', () => {
    expect(subtreeIds('domain', [project('a'), ...below])).toEqual({
      a: { b: { d: null }, c: null },
    });
  });

  it('are none where there is no project below', () => {
    expect(subtreeIds('a', [])).toBeNull();
  });
});
