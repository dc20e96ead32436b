import { describe, expect, it } from '@jest/globals';
import { createValidationPipe } from '@cumulet/common/http/validation';
import { MAX_TAG_LENGTH, tagFault, TagsField } from './resource.dto.js';

describe('tagFault', () => {
  it.each(['blue', 'Blue', 'two words', 'ünï', '.', 'a'.repeat(MAX_TAG_LENGTH)])(
    'takes %p',
    (tag) => {
      expect(tagFault(tag)).toBeUndefined();
    },
  );

  it.each(['', ' ', 'a,b', ',', 'a/b', '/'])('refuses %p', (tag) => {
    expect(tagFault(tag)).toContain('must not contain a comma or a slash');
  });

  it('refuses what is too long', () => {
    expect(tagFault('a'.repeat(MAX_TAG_LENGTH + 1))).toBe('must not be longer than 255 characters');
  });
});

class Tagged {
  @TagsField()
  tags: string[];
}

async function read(...tags: unknown[]): Promise<Tagged> {
  const metadata = { type: 'body', metatype: Tagged } as const;
  return (await createValidationPipe().transform({ tags }, metadata)) as Tagged;
}

it('keeps tags once and without the space around them', async () => {
  const { tags } = await read(' blue', 'blue ', 'Blue', 'two words');
  expect(tags).toEqual(['blue', 'Blue', 'two words']);
});

it.each([[['a', 'a']], [[' ']], [[1]]])('refuses the tags %j', async (tags) => {
  await expect(read(...tags)).rejects.toThrow('tags');
});
