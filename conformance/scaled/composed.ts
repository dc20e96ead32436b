/** The processes of docker-compose.yml with their settings, for machines without Docker. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const FILE = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url));
const SECRET_FILE = '_FILE';

export type Environment = Readonly<Record<string, string>>;

interface Container {
  readonly environment?: Readonly<Record<string, string | null>>;
}

/**
 * @param secrets the folder with a file for each
 * @param variables that the file names
 * @returns the environment of a container, by its name, with secrets themselves: earlier releases read no files
 */
export async function composed(
  secrets: string,
  variables: Environment,
): Promise<(container: string) => Promise<Environment>> {
  const text = (await readFile(FILE, 'utf8')).replaceAll(
    /\$\{(\w+):-([^}]*)\}/g,
    (_, name: string, value: string) => variables[name] ?? value,
  );
  const { services } = parse(text, { merge: true, maxAliasCount: -1 }) as {
    readonly services: Readonly<Record<string, Container>>;
  };
  return async (container) => {
    const given = Object.entries(services[container]?.environment ?? {});
    const read = given.map(async ([name, value]) => {
      if (!name.endsWith(SECRET_FILE)) return [name, value ?? ''];
      const secret = name.slice(0, -SECRET_FILE.length);
      return [secret, (await readFile(`${secrets}/${secret}`, 'utf8')).trim()];
    });
    return Object.fromEntries(await Promise.all(read)) as Environment;
  };
}
