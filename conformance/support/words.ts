/**
 * The words of a command line: words`user show ${name}` is ['user', 'show', name], whatever the
 * name contains. A value that touches a word is part of it: --property=${value}.
 */
export function words(texts: TemplateStringsArray, ...values: string[]): string[] {
  const found: string[] = [];
  let current: string | undefined;
  const end = (): void => {
    if (current !== undefined) found.push(current);
    current = undefined;
  };
  texts.forEach((text, at) => {
    const [first = '', ...rest] = text.split(/\s+/);
    if (first !== '') current = (current ?? '') + first;
    for (const word of rest) {
      end();
      if (word !== '') current = word;
    }
    const value = values[at];
    if (value !== undefined) current = (current ?? '') + value;
  });
  end();
  return found;
}
